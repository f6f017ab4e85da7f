import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as idle, setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { EmbeddedDatabaseUnusableError } from '../../../src/store/embedded/failure.ts';
import type { EmbeddedOptions } from '../../../src/store/embedded/open-embedded.ts';
import type { EmbeddedDatabaseEvent } from '../../../src/store/embedded/supervisor.ts';
import { isStoreUnavailable } from '../../../src/store/errors.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { times } from '../../support/data.ts';
import { startChild } from '../../support/processes/child.ts';
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
    const { store, events, next } = await open({ statementLimitMs: 800 });
    const ids = times(5, () => newId('org'));
    for (const id of ids) await insert(store, id);
    const recovered = next('recovered');

    const failures = await Promise.all(
      [ENDLESS, ...times(3, () => sql`SELECT 1`)].map((each) => failureOf(store.db.rows(each))),
    );
    expect(failures.map(isStoreUnavailable)).toEqual([true, true, true, true]);
    expect(store.failure()).toBe('a statement did not end within 0.8 s');

    await recovered;
    expect(store.failure()).toBeUndefined();
    expect(events).toEqual([
      { type: 'failed', reason: 'a statement did not end within 0.8 s', retryMs: 500 },
      { type: 'recovered' },
    ]);
    expect(await stored(store, ids)).toBe(5);
  });

  it('is fatal for a command, which reports the failure and closes the store', async () => {
    const { store, next } = await open({ statementLimitMs: 800, restarts: false });
    const failed = next('failed');
    expect(isStoreUnavailable(await failureOf(store.db.rows(ENDLESS)))).toBe(true);
    expect(await failed).toEqual({ type: 'failed', reason: 'a statement did not end within 0.8 s' });
    expect(isStoreUnavailable(await failureOf(store.db.rows(sql`SELECT 1`)))).toBe(true);
    expect(store.failure()).toBe('a statement did not end within 0.8 s');
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
  const log = join(dataDirectory, 'postgres', 'pg_wal');
  const moved = `${log}.away`;
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

it('rolls back an idle transaction of another process if others wait, and its process gets an error', async () => {
  const { store, dataDirectory, events } = await open({ idleInTransactionMs: 500 });
  const child = await startChild(new URL('../../support/processes/store-child.mjs', import.meta.url));
  closing.push(child.kill);
  expect(await child.ask('open', dataDirectory, 'join')).toBe('open');
  const [never, later] = [newId('org'), newId('org')];
  expect(await child.ask('begin', never)).toBe('open');
  expect(await stored(store, [never])).toBe(0);
  expect(events).toEqual([{ type: 'idleInTransaction' }]);
  expect(await child.ask('commit')).toBe('terminating connection due to idle-in-transaction timeout');
  await insert(store, later);
  expect(await stored(store, [never, later])).toBe(1);
});

it('measures the idle time of a transaction from its last statement', async () => {
  const { store, dataDirectory, events } = await open({ idleInTransactionMs: 1_000 });
  const joined = await openStore({ dataDirectory, join: true });
  closing.push(joined.close);
  await joined.db.transaction(async (transaction) => {
    await transaction.rows(sql`SELECT 1`);
    const waiting = store.db.rows(sql`SELECT 2`);
    for (const _ of times(8, String)) {
      await idle(150);
      await transaction.rows(sql`SELECT 1`);
    }
    return { waiting };
  });
  expect(events).toEqual([]);
});

it('reports the directory and the error of the operating system on one line if the database cannot be opened', async () => {
  const parent = await folder();
  const dataDirectory = join(parent, 'file', 'data');
  await writeFile(join(parent, 'file'), '');
  const error = await failureOf(openStore({ dataDirectory }));
  expect(error).toBeInstanceOf(EmbeddedDatabaseUnusableError);
  expect(error).toMatchObject({ advice: expect.stringContaining('DATA_DIR must be') });
  expect((error as Error).message).toMatch(
    new RegExp(`^cannot use the data directory ${dataDirectory} \\(ENOTDIR: .*\\)$`),
  );
});
