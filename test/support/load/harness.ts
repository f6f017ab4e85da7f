import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

// What the attacks, the soak test and the fuzz tests have in common.

/** The command line of a test. */
export function testCommand(name: string, description: string): Command {
  // Ends its child processes on a signal.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return new Command(name).description(description);
}

/** The same for a test of random input on a store. */
export function randomTestCommand(name: string, description: string): Command {
  return testCommand(name, description)
    .option(
      '--seed <number>',
      'the seed of an earlier run, to repeat it',
      wholeNumber,
      Math.trunc(Math.random() * 2 ** 31),
    )
    .option('--database-url <url>', 'an empty PostgreSQL database, instead of a temporary one');
}

/** Parses an option. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Prints a line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The columns of a table: their titles and cells. */
export type Columns<Row> = readonly (readonly [title: string, cell: (row: Row) => string | number])[];

/** Formats the head of a table, or a row. */
export function formatRow<Row>(columns: Columns<Row>, row?: Row): string {
  return columns.map(([title, cell]) => String(row === undefined ? title : cell(row)).padStart(12)).join('');
}

/** Bytes in megabytes. */
export const inMb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

/** Calls `work` with an empty store: on a database if it is given, otherwise on a new embedded one. */
export async function withStore<Result>(
  databaseUrl: string | undefined,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'cms-test-'));
  try {
    const store = await openStore({ databaseUrl, dataDirectory });
    return await work(store).finally(() => store.close());
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** Calls `work` with the store of a service, which may be running with this environment. */
export async function withStoreOf<Result>(
  { DATABASE_URL: databaseUrl, DATA_DIR: dataDirectory = '' }: Readonly<Record<string, string>>,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ databaseUrl, dataDirectory, join: true });
  return work(store).finally(() => store.close());
}

/** Creates an organization with keys of all scopes. */
export async function createOrganizationWithKeys(store: Store, name: string, count = 1) {
  const { id } = await createOrganization(store, { name, country: 'US' }, 'test');
  const keys: string[] = [];
  for (let n = 0; n < count; n++) {
    const input = { organization_id: id, name: `${name} ${n}`, scopes: ALL_SCOPES, expires_in_days: null };
    keys.push((await createApiKey(store, input, 'test')).key);
  }
  return { id, keys, key: keys[0] as string };
}
