import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { EmbeddedDatabaseUnusableError } from '../../../src/store/embedded/failure.ts';
import type { EmbeddedOptions } from '../../../src/store/embedded/open-embedded.ts';
import type { EmbeddedDatabaseEvent } from '../../../src/store/embedded/supervisor.ts';
import { isStoreUnavailable } from '../../../src/store/errors.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { times } from '../../support/data.ts';
import { type Child, startChild } from '../../support/processes/child.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

const { startedOnce, folder } = temporaryStores();

interface Opened {
  readonly store: Store;
  readonly dataDirectory: string;
  readonly events: EmbeddedDatabaseEvent[];
  /** Resolves at the next event of a type. */
  next(type: EmbeddedDatabaseEvent['type']): Promise<EmbeddedDatabaseEvent>;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(options: Partial<EmbeddedOptions>): Promise<Opened> {
  const dataDirectory = await startedOnce();
  const events: EmbeddedDatabaseEvent[] = [];
  const expected = new Map<string, (event: EmbeddedDatabaseEvent) => void>();
  const onEvent = (event: EmbeddedDatabaseEvent) => {
    events.push(event);
    expected.get(event.type)?.(event);
  };
  const store = await openStore({ dataDirectory, embedded: { restarts: true, ...options, onEvent } });
  closing.push(store.close);
  const next: Opened['next'] = (type) => new Promise((resolve) => expected.set(type, resolve));
  return { store, dataDirectory, events, next };
}

async function childThrough(dataDirectory: string): Promise<Child> {
  const child = await startChild(new URL('../../support/processes/store-child.mjs', import.meta.url));
  closing.push(child.kill);
  expect(await child.ask('open', dataDirectory, 'join')).toBe('open');
  return child;
}

/** A statement that only ends when the thread that runs it is terminated. */
const ENDLESS = sql`SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000000000) b`;

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );

const insert = ({ db }: Store, id: string) =>
  db.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Kept', 'US')`);

const stored = async ({ db }: Store, ids: readonly string[]) =>
  (await db.rows(sql`SELECT FROM organization WHERE id = ANY(${ids}::text[])`)).length;

describe('a statement that never ends', () => {
  it('fails with all waiting statements, and the database restarts with all acknowledged writes', async () => {
    const { store, events, next } = await open({ statementLimitMs: 400 });
    const ids = times(5, () => newId('org'));
    for (const id of ids) await insert(store, id);
    const recovered = next('recovered');

    const failures = await Promise.all(
      [ENDLESS, ...times(3, () => sql`SELECT 1`)].map((each) => failureOf(store.db.rows(each))),
    );
    expect(failures.map(isStoreUnavailable)).toEqual([true, true, true, true]);
    expect(store.failure()).toBe('a statement did not end within 0.4 s');

    await recovered;
    expect(store.failure()).toBeUndefined();
    expect(events).toEqual([
      { type: 'failed', reason: 'a statement did not end within 0.4 s', retryMs: 500 },
      { type: 'recovered' },
    ]);
    expect(await stored(store, ids)).toBe(5);
  });

  it('does not block the main thread', async () => {
    const { store, next } = await open({ statementLimitMs: 400 });
    const failed = next('failed');
    let turns = 0;
    let hanging = true;
    const ended = failureOf(store.db.rows(ENDLESS)).finally(() => {
      hanging = false;
    });
    while (hanging) {
      await turn();
      turns += 1;
    }
    await Promise.all([ended, failed]);
    expect(turns).toBeGreaterThan(100);
  });

  it('is fatal for a command, which reports the failure and closes the store', async () => {
    const { store, next } = await open({ statementLimitMs: 400, restarts: false });
    const failed = next('failed');
    expect(isStoreUnavailable(await failureOf(store.db.rows(ENDLESS)))).toBe(true);
    expect(await failed).toEqual({ type: 'failed', reason: 'a statement did not end within 0.4 s' });
    expect(isStoreUnavailable(await failureOf(store.db.rows(sql`SELECT 1`)))).toBe(true);
    expect(store.failure()).toBe('a statement did not end within 0.4 s');
  });

  it('does not delay the end of the process', async () => {
    const { store } = await open({ statementLimitMs: 3_600_000 });
    const ended = failureOf(store.db.rows(ENDLESS));
    await turn();
    await Promise.all([closing.pop()?.(), ended]);
    expect(isStoreUnavailable(await ended)).toBe(true);
  });
});

it('restarts after PostgreSQL terminates, with all acknowledged writes', async () => {
  const { store, dataDirectory, events, next } = await open({});
  const id = newId('org');
  await insert(store, id);
  const [log, moved] = ['pg_wal', 'pg_wal.away'].map((name) => join(dataDirectory, 'postgres', name)) as [
    string,
    string,
  ];
  await rename(log, moved);
  const failed = next('failed');
  const errors = [
    await failureOf(store.db.rows(sql`SELECT pg_switch_wal()`)),
    await failureOf(insert(store, newId('org'))),
  ];
  expect(errors.some(isStoreUnavailable)).toBe(true);
  expect(await failed).toMatchObject({ reason: expect.stringContaining('No such file or directory') });
  await next('failed');
  const recovered = next('recovered');
  await rename(moved, log);
  await recovered;
  expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['failed', 'failed']);
  expect(await stored(store, [id])).toBe(1);
});

describe('an idle transaction of another process', () => {
  it('is rolled back if others wait, and its process gets an error', async () => {
    const { store, dataDirectory, events } = await open({ idleInTransactionMs: 500 });
    const child = await childThrough(dataDirectory);
    const [never, later] = [newId('org'), newId('org')];
    expect(await child.ask('begin', never)).toBe('open');
    expect(await stored(store, [never])).toBe(0);
    expect(events).toEqual([{ type: 'idleInTransaction' }]);
    expect(await child.ask('commit')).toBe('terminating connection due to idle-in-transaction timeout');
    await insert(store, later);
    expect(await stored(store, [never, later])).toBe(1);
  });
});

describe('a database that cannot be opened', () => {
  const openingFails = async (dataDirectory: string): Promise<string> => {
    const error = await failureOf(openStore({ dataDirectory }));
    expect(error).toBeInstanceOf(EmbeddedDatabaseUnusableError);
    return (error as Error).message;
  };

  it('reports the directory and the error of PostgreSQL on one line', async () => {
    const dataDirectory = await startedOnce();
    await writeFile(join(dataDirectory, 'postgres', 'global', 'pg_control'), '');
    expect(await openingFails(dataDirectory)).toMatch(
      new RegExp(`^cannot use the data directory ${dataDirectory} \\(could not read file "global/pg_control".*\\)$`),
    );
  });

  it('reports the directory and the error of the operating system on one line', async () => {
    const parent = await folder();
    const dataDirectory = join(parent, 'file', 'data');
    await writeFile(join(parent, 'file'), '');
    expect(await openingFails(dataDirectory)).toMatch(
      new RegExp(`^cannot use the data directory ${dataDirectory} \\(ENOTDIR: .*\\)$`),
    );
  });
});
