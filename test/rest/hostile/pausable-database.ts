import type { Database } from '../../../src/store/database.ts';

/**
 * Wraps a database so that a test can act while a request is in flight. `pause` pauses the next write that matches; it
 * resolves when that is reached, with a function that resumes it.
 */
export function pausable(db: Database) {
  let held: { statement: RegExp; reached: (resume: () => void) => void } | undefined;
  const pausableDatabase = (db: Database): Database => ({
    ...db,
    write: async (statement) => {
      const { reached } = held?.statement.test(statement.text) ? held : {};
      if (reached) {
        held = undefined;
        await new Promise<void>(reached);
      }
      return db.write(statement);
    },
    forRequest: (request) => pausableDatabase(db.forRequest(request)),
  });
  return {
    db: pausableDatabase(db),
    pause: (statement: RegExp) =>
      new Promise<() => void>((reached) => {
        held = { statement, reached };
      }),
  };
}
