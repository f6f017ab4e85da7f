import type { App } from '../../src/app.ts';
import { appOn } from '../support/apps.ts';
import type { TestService } from '../support/service.ts';
import { intercepting } from '../support/stores/intercepting.ts';

/** An app that records the statements of its requests. */
export interface CountingApp {
  readonly app: App;
  /** The texts of the statements that `work` runs, in order. */
  during<Result>(work: () => Promise<Result>): Promise<{ result: Result; statements: string[] }>;
}

/** An app on the store of a service whose statements are counted. */
export function countingApp(service: TestService, options: { readonly federation?: boolean } = {}): CountingApp {
  let seen: string[] = [];
  const db = intercepting(service.store.db, ({ text }) => void seen.push(text.replace(/\s+/g, ' ').trim()));
  return {
    app: appOn(service, { ...options, db }),
    async during(work) {
      const statements: string[] = [];
      seen = statements;
      return { result: await work(), statements };
    },
  };
}
