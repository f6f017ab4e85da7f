import type { Database } from '../../../src/store/database.ts';

/** A database whose statements can be paused by a test. */
export interface PausableDatabase {
  readonly db: Database;
  /** The texts of all statements so far. */
  readonly statements: readonly string[];
  /** Pauses the next statement that matches; resolves when it is reached, with a function that resumes it. */
  pause(statement: RegExp): Promise<() => void>;
}

/** Wraps a database so that a test can act while a request is in flight. */
export function pausable(db: Database): PausableDatabase {
  const statements: string[] = [];
  let held: { statement: RegExp; reached: (resume: () => void) => void } | undefined;
  const wait = async (text: string) => {
    statements.push(text);
    if (!held?.statement.test(text)) return;
    const { reached } = held;
    held = undefined;
    await new Promise<void>((resume) => reached(resume));
  };
  const pausableDatabase = (db: Database): Database => ({
    ...db,
    rows: async (statement) => {
      await wait(statement.text);
      return db.rows(statement);
    },
    write: async (statement) => {
      await wait(statement.text);
      return db.write(statement);
    },
    savepoint: (work) => db.savepoint(work),
    transaction: async (work) => {
      await wait('BEGIN');
      return db.transaction(work);
    },
    forRequest: (request) => pausableDatabase(db.forRequest(request)),
  });
  return {
    db: pausableDatabase(db),
    statements,
    pause: (statement) =>
      new Promise((reached) => {
        held = { statement, reached };
      }),
  };
}
