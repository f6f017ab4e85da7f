import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import pg from 'pg';
import { createClient } from 'redis';
import type { TestProject } from 'vitest/node';
import { openStore, type Store } from '../../src/store/store.ts';
import { commitWithoutDisk } from './servers/databases.ts';
import { connectToServers } from './servers/reachable.ts';
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

/** Long enough for a busy machine. */
const CONNECT_MS = 30_000;

const SERVERS = {
  postgresql: {
    name: 'PostgreSQL',
    variable: 'TEST_DATABASE_URL',
    defaultUrl: 'postgresql://root@127.0.0.1:5432/postgres',
    async connect(connectionString: string) {
      const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
      await client.connect();
      await client.end();
    },
  },
  redis: {
    name: 'Redis',
    variable: 'TEST_REDIS_URL',
    defaultUrl: 'redis://127.0.0.1:6379',
    async connect(url: string) {
      const client = createClient({ url, commandOptions: { timeout: CONNECT_MS }, ...ONE_ATTEMPT });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.ping();
      } finally {
        client.destroy();
      }
    },
  },
};

const ONE_ATTEMPT = { socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false } } as const;

/** Opens the stores once for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await connectToServers(SERVERS, process.env, report);
  // As in `.config/vitest.ts`, for the database that all files share.
  setFlagsFromString('--liftoff-only');
  const folder = await mkdtemp(join(tmpdir(), 'cms-test-'));
  const threads = await compileThreads();
  const [startedOnce, dataDirectory] = [join(folder, 'started-once'), join(folder, 'shared')];
  const [embedded, database] = await Promise.all([
    openEmbedded(startedOnce, dataDirectory),
    servers.postgresql === undefined ? undefined : createDatabase(servers.postgresql),
  ]);
  project.provide('dataDirectory', dataDirectory);
  project.provide('startedOnce', startedOnce);
  project.provide('databaseUrl', database?.url);
  project.provide('migratedDatabase', database?.copied);
  project.provide('redisUrl', servers.redis);
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

async function createDatabase(server: string): Promise<TestDatabase> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  const name = `cms_test_${process.pid}_${Date.now()}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.query(commitWithoutDisk(name));
  const url = new URL(server);
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

function report(message: string): void {
  process.stderr.write(`${message}\n`);
}
