import { expect, inject } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { type Ran, runCli } from '../../support/processes/cli.ts';

const databaseUrl = inject('databaseUrl');

/** The environment variables that name the shared database of the tests. */
export const environment: Record<string, string> = databaseUrl
  ? { DATABASE_URL: databaseUrl }
  : { DATA_DIR: inject('dataDirectory') };

/** Runs a command that prints JSON. */
export function cms(...args: string[]): Promise<Ran> {
  return runCli(environment, ...args, '--json');
}

/** Runs a command that prints text. */
export function text(...args: string[]): Promise<Ran> {
  return runCli(environment, ...args);
}

/** Runs a command that succeeds, and returns its JSON. */
export async function runOk(...args: string[]): Promise<Ran['json']> {
  const ran = await cms(...args);
  expect(ran).toMatchObject({ code: 0, err: '' });
  return ran.json;
}

/** Runs a command that is refused, and returns the error. */
export async function runRefused(...args: string[]): Promise<Ran['json']> {
  const { code, out, err } = await cms(...args);
  const { error } = JSON.parse(err);
  // Details name the options whose values are invalid.
  expect({ code, out }).toEqual({ code: error.details ? 2 : 1, out: '' });
  return error;
}

/** Creates an organization and a key. */
export async function newKey(expires = '90'): Promise<{ organization: Ran['json']; key: Ran['json'] }> {
  const organization = await runOk('organization', 'create', '--name', 'Hillside', '--country', 'us');
  const create = ['key', 'create', '--organization', organization.id, '--name', 'Website'];
  const key = await runOk(...create, '--scopes', 'tags.view,forms.view', '--expires', expires);
  return { organization, key };
}

/** Runs `work` with the database that the commands use. */
export async function withDb<Result>(work: (db: Store['db'], store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore({ databaseUrl, dataDirectory: inject('dataDirectory'), join: true });
  return work(store.db, store).finally(() => store.close());
}
