import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import pg from 'pg';
import { createClient } from 'redis';
import type { TestProject } from 'vitest/node';
import { openStore, type Store } from '../../src/store/store.ts';
import { commitWithoutDisk } from './servers/databases.ts';
import { compileThreads } from './threads.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data directory of an embedded database shared by all tests. */
    dataDirectory: string;
    /** The data directory of another one after its first start, as a template: creating one takes seconds. */
    startedOnce: string;
    /** An empty database for tests on a server; undefined if no server is reachable. */
    databaseUrl: string | undefined;
    /** The name of a database on that server with the same schema, to be used as a template. */
    migratedDatabase: string | undefined;
    redisUrl: string | undefined;
  }
}

const POSTGRESQL = process.env.TEST_DATABASE_URL ?? 'postgresql://root@127.0.0.1:5432/postgres';
const REDIS = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Opens the stores once for all test files; prints what is skipped because a server is unreachable. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // As in `.config/vitest.ts`, for the database that all files share.
  setFlagsFromString('--liftoff-only');
  const folder = await mkdtemp(join(tmpdir(), 'cms-test-'));
  const threads = await compileThreads();
  const [startedOnce, dataDirectory] = [join(folder, 'started-once'), join(folder, 'shared')];
  const [embedded, database, redisUrl] = await Promise.all([
    openEmbedded(startedOnce, dataDirectory),
    createDatabase(),
    redisAnswers(),
  ]);
  if (!database)
    report(
      `No PostgreSQL server is reachable at ${POSTGRESQL} (TEST_DATABASE_URL): tests that need a server are skipped.`,
    );
  if (!redisUrl) report(`No Redis server is reachable at ${REDIS} (TEST_REDIS_URL): tests that need it are skipped.`);
  if (process.env.REQUIRE_SERVERS && !(database && redisUrl)) {
    throw new Error('REQUIRE_SERVERS is set, but PostgreSQL or Redis is unreachable');
  }
  project.provide('dataDirectory', dataDirectory);
  project.provide('startedOnce', startedOnce);
  project.provide('databaseUrl', database?.url);
  project.provide('migratedDatabase', database?.copied);
  project.provide('redisUrl', redisUrl);
  return async () => {
    await embedded.close();
    await database?.drop();
    for (const path of [folder, threads]) await rm(path, { recursive: true, force: true });
  };
}

/** Creates two embedded databases at once, and closes the first one. */
async function openEmbedded(startedOnce: string, dataDirectory: string): Promise<Store> {
  const [template, shared] = await Promise.all(
    [startedOnce, dataDirectory].map((directory) => openStore({ dataDirectory: directory })),
  );
  await template?.close();
  return shared as Store;
}

interface TestDatabase {
  readonly url: string;
  /** The name of the copy. */
  readonly copied: string;
  drop(): Promise<void>;
}

async function createDatabase(): Promise<TestDatabase | undefined> {
  const client = new pg.Client({ connectionString: POSTGRESQL, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
  } catch {
    return undefined;
  }
  const name = `cms_test_${process.pid}_${Date.now()}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.query(commitWithoutDisk(name));
  const url = new URL(POSTGRESQL);
  url.pathname = `/${name}`;
  await (await openStore({ databaseUrl: url.href, dataDirectory: '' })).close();
  const copied = `${name}_copied`;
  await client.query(`CREATE DATABASE ${copied} TEMPLATE ${name}`);
  return {
    url: url.href,
    copied,
    async drop() {
      for (const one of [copied, name]) await client.query(`DROP DATABASE ${one} WITH (FORCE)`);
      await client.end();
    },
  };
}

async function redisAnswers(): Promise<string | undefined> {
  const client = createClient({ url: REDIS, socket: { connectTimeout: 2_000, reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return REDIS;
  } catch {
    return undefined;
  } finally {
    client.destroy();
  }
}

function report(message: string): void {
  process.stderr.write(`${message}\n`);
}
