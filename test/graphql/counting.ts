import type { App } from '../../src/app.ts';
import type { Database } from '../../src/store/database.ts';
import type { Statement } from '../../src/store/sql.ts';
import { appOn } from '../support/apps.ts';
import type { TestService } from '../support/service.ts';

/** An app that records the statements of its requests. */
export interface CountingApp {
  readonly app: App;
  /** The texts of the statements that `work` runs, in order, with the values of each. */
  during<Result>(work: () => Promise<Result>): Promise<{ result: Result; statements: string[]; values: unknown[][] }>;
}

/** An app on the store of a service whose statements are counted. */
export function countingApp(service: TestService, options: { readonly federation?: boolean } = {}): CountingApp {
  let [seen, given]: [string[], unknown[][]] = [[], []];
  const note = ({ text, values }: Statement) => {
    seen.push(text.replace(/\s+/g, ' ').trim());
    given.push(values);
  };
  const counted = (db: Database): Database => ({
    ...db,
    rows: (statement) => {
      note(statement);
      return db.rows(statement);
    },
    write: (statement) => {
      note(statement);
      return db.write(statement);
    },
    forRequest: (request) => counted(db.forRequest(request)),
    savepoint: (work) => db.savepoint(work),
    transaction: (work) => db.transaction((transaction) => work(counted(transaction))),
  });
  return {
    app: appOn(service, { ...options, db: counted(service.store.db) }),
    async during(work) {
      const [statements, values]: [string[], unknown[][]] = [[], []];
      [seen, given] = [statements, values];
      return { result: await work(), statements, values };
    },
  };
}
