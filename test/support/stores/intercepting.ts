import type { Database } from '../../../src/store/database.ts';
import type { Statement } from '../../../src/store/sql.ts';

/** A database that calls `before` with each statement; the statement fails if that throws. */
export function intercepting(db: Database, before: (statement: Statement, isWrite: boolean) => unknown): Database {
  return {
    ...db,
    rows: async (statement) => {
      await before(statement, false);
      return db.rows(statement);
    },
    rowsUnprepared: async (statement) => {
      await before(statement, false);
      return db.rowsUnprepared(statement);
    },
    write: async (statement) => {
      await before(statement, true);
      return db.write(statement);
    },
    forRequest: (request) => intercepting(db.forRequest(request), before),
    savepoint: (work) => db.savepoint(work),
    transaction: (work) => db.transaction((transaction) => work(intercepting(transaction, before))),
  };
}

/** A database that pauses at statements that match: `reached` resolves at the first one, and `resume` lets them run. */
export function pausing(db: Database, matches: (statement: Statement) => boolean) {
  let [reach, resume] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const paused = intercepting(db, async (statement) => {
    if (!matches(statement)) return;
    reach();
    await resumed;
  });
  return { db: paused, reached, resume };
}
