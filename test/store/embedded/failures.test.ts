import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, type Mock, vi } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import type { EmbeddedOptions } from '../../../src/store/embedded/open-embedded.ts';
import { EmbeddedDatabaseUnusableError } from '../../../src/store/embedded/unusable-database.ts';
import { isStoreUnavailable } from '../../../src/store/errors.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { times } from '../../support/data.ts';
import { temporaryStores } from '../../support/stores/directories.ts';
import { eventually } from '../../support/time/eventually.ts';

const { startedOnce, folder } = temporaryStores();

interface Opened {
  readonly store: Store;
  readonly dataDirectory: string;
  /** Receives the reason of each failure. */
  readonly onFailure: Mock<EmbeddedOptions['onFailure']>;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(options: Partial<EmbeddedOptions>): Promise<Opened> {
  const dataDirectory = await startedOnce();
  const onFailure = vi.fn<EmbeddedOptions['onFailure']>();
  const store = await openStore({ dataDirectory, embedded: { onFailure, ...options } });
  closing.push(store.close);
  return { store, dataDirectory, onFailure };
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
    const { store, onFailure } = await open({ statementLimitMs: () => 800 });
    const ids = times(5, () => newId('org'));
    for (const id of ids) await insert(store, id);

    const failures = await Promise.all(
      [ENDLESS, ...times(3, () => sql`SELECT 1`)].map((each) => failureOf(store.db.rows(each))),
    );
    expect(failures.map(isStoreUnavailable)).toEqual([true, true, true, true]);
    expect(store.failure()).toBe('a statement did not end within 0.8 s');

    await eventually(() => expect(store.failure()).toBeUndefined());
    expect(onFailure.mock.calls).toEqual([['a statement did not end within 0.8 s']]);
    expect(await stored(store, ids)).toBe(5);
  });

  it('does not delay the end of the process for longer than three seconds', async () => {
    const { store } = await open({ statementLimitMs: () => 3_600_000 });
    const ended = failureOf(store.db.rows(ENDLESS));
    await turn();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const closed = closing.pop()?.();
    await eventually(() => expect(vi.getTimerCount()).toBe(1));
    vi.advanceTimersByTime(3_000);
    await Promise.all([closed, ended]);
    expect(isStoreUnavailable(await ended)).toBe(true);
  });
});

it('reports why PostgreSQL ended and cannot start, and restarts it until it does, with all acknowledged writes', async () => {
  const { store, dataDirectory, onFailure } = await open({});
  const [log, away] = ['pg_wal', 'pg_wal.away'].map((name) => join(dataDirectory, 'postgres', name)) as [
    string,
    string,
  ];
  const id = newId('org');
  await insert(store, id);
  await rename(log, away);
  const errors = [
    await failureOf(store.db.rows(sql`SELECT pg_switch_wal()`)),
    await failureOf(insert(store, newId('org'))),
  ];
  expect(errors.some(isStoreUnavailable)).toBe(true);
  await eventually(() => expect(onFailure.mock.calls.length).toBeGreaterThan(1));
  expect(onFailure.mock.calls[0]).toEqual([expect.stringContaining('No such file or directory')]);
  expect(store.failure()).toContain('pg_wal');
  expect(isStoreUnavailable(await failureOf(store.db.rows(sql`SELECT 1`)))).toBe(true);
  await rename(away, log);
  await eventually(() => expect(store.failure()).toBeUndefined());
  expect(await stored(store, [id])).toBe(1);
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
