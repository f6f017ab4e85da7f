import { pino } from 'pino';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { type App, type AppOptions, createApp } from '../../src/app.ts';
import { createFailedRequests } from '../../src/auth/failed-requests.ts';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { createApiKey, findKeyIds, revokeApiKey } from '../../src/domain/admin/api-key.ts';
import { hashKey, keyPrefix, newKey } from '../../src/domain/admin/api-key-secret.ts';
import { ALL_SCOPES, type Scope } from '../../src/domain/core/scopes.ts';
import { newId } from '../../src/domain/values/ids.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limiter.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { client, type TestClient } from './client.ts';
import { described } from './requests/described.ts';
import { createDatabases } from './servers/databases.ts';

/** The service on one store, in-process. Every test creates separate organizations. */
export interface TestService {
  readonly store: Store;
  readonly app: App;
  /** A new organization with a key, and a client that uses it. */
  organization(options?: OrganizationOptions): Promise<TestOrganization>;
  /** Another app on the same store, for example with a limit. */
  appWith(options: Partial<Pick<AppOptions, PartsOfTests>>): App;
}

type PartsOfTests =
  | 'changes'
  | 'rateLimiter'
  | 'trustProxy'
  | 'allowedHosts'
  | 'docs'
  | 'graphiql'
  | 'developer'
  | 'webhooks'
  | 'stopping';

interface OrganizationOptions {
  readonly scopes?: readonly Scope[];
  readonly country?: string;
  readonly app?: App;
}

/** An organization, and a client with its key. */
export interface TestOrganization extends TestClient {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
  /** The same organization with another key. */
  withScopes(...scopes: Scope[]): Promise<TestOrganization>;
  /** The same organization and key in another app. */
  through(app: App): TestOrganization;
  revoke(): Promise<void>;
}

/** A limit that no test reaches. */
const UNLIMITED = 1_000_000;

/** Runs a suite on the embedded database, and on PostgreSQL if it is reachable. */
export function onEachStore(suite: (service: TestService) => void): void {
  describe('on the embedded database', () => suite(serviceOn('embedded')));
  describe.skipIf(!inject('databaseUrl'))('on PostgreSQL', () => suite(serviceOn('postgresql')));
}

/**
 * Runs a suite on one store, for tests that depend on SQL but not on the kind of store. Its name is that of the store, so
 * that the tests of other versions of PostgreSQL include it.
 */
export function onOneDatabase(suite: (service: TestService) => void): void {
  const [name, kind] = inject('databaseUrl')
    ? (['on PostgreSQL', 'postgresql'] as const)
    : (['on the embedded database', 'embedded'] as const);
  describe(name, () => suite(serviceOn(kind)));
}

/** Runs a suite on one store, for tests that do not depend on the store. */
export function onOneStore(suite: (service: TestService) => void): void {
  describe('the service', () => suite(serviceOn(inject('databaseUrl') ? 'postgresql' : 'embedded')));
}

/** Runs a suite on the embedded database, whose single session excludes transactions of other tests. */
export function onEmbeddedStore(suite: (service: TestService) => void): void {
  describe('on the embedded database', () => suite(serviceOn('embedded')));
}

/** Runs a suite on a database that no other test uses, for tests across organizations. */
export function onOwnDatabase(suite: (service: TestService) => void): void {
  describe.skipIf(!inject('databaseUrl'))('on a separate PostgreSQL database', () => suite(serviceOn('own')));
}

/**
 * Inserts the rows of `createOrganization` and `createApiKey` in one statement, since thousands of tests start with it.
 */
async function insertOrganization(
  { db }: Store,
  {
    id,
    country,
    scopes,
    key,
  }: { id: string; country: string; scopes: readonly Scope[]; key: { id: string; key: string } },
): Promise<void> {
  await db.write(sql`
    WITH o AS (
      INSERT INTO organization (id, name, country) VALUES (${id}, 'Test organization', ${country}) RETURNING *
    ), k AS (
      INSERT INTO api_key (id, organization_id, name, hash, prefix, scopes, created_by)
      SELECT ${key.id}, id, 'Test', ${hashKey(key.key)}, ${keyPrefix(key.key)}, ${scopes}::text[], 'test' FROM o RETURNING *
    ), audited AS (
      INSERT INTO audit_entry (organization_id, actor, channel, operation, record_id, result)
      VALUES (${id}, 'test', 'cli', 'createOrganization', ${id}, 'ok'), (${id}, 'test', 'cli', 'createApiKey', ${key.id}, 'ok')
    )
    SELECT id FROM k`);
}

/** The stores of this process. Its test files share them, because opening one takes as long as many tests. */
const sharedStores = new Map<string | undefined, Promise<Store>>();

/** @param databaseUrl undefined for the embedded database. */
function sharedStore(databaseUrl: string | undefined): Promise<Store> {
  const shared = sharedStores.get(databaseUrl);
  if (shared) return shared;
  const opened = openDatabase(databaseUrl);
  sharedStores.set(databaseUrl, opened);
  opened.catch(() => sharedStores.delete(databaseUrl));
  return opened;
}

function openDatabase(databaseUrl: string | undefined): Promise<Store> {
  return openStore({ databaseUrl, dataDirectory: inject('dataDirectory'), join: true });
}

function serviceOn(kind: 'embedded' | 'postgresql' | 'own'): TestService {
  const databases = kind === 'own' ? createDatabases(inject('databaseUrl') as string) : undefined;
  let store: Store;
  let app: App;
  const appWith: TestService['appWith'] = ({ rateLimiter, trustProxy = 0, ...pages }) =>
    described(
      createApp({
        store,
        rateLimiter: rateLimiter ?? createMemoryRateLimiter(UNLIMITED),
        keyUsage: createKeyUsage(store.db, () => {}),
        failedRequests: createFailedRequests(store.db, () => {}),
        trustProxy,
        allowedHosts: ['service.test'],
        log: pino({ level: 'silent' }),
        onStoreUnavailable: () => {},
        ...pages,
      }),
    );

  beforeAll(async () => {
    store = databases
      ? await openDatabase(databases.urlOf(await databases.create(inject('migratedDatabase'))))
      : await sharedStore(kind === 'embedded' ? undefined : inject('databaseUrl'));
    app = appWith({});
  });
  afterAll(async () => {
    if (!databases) return;
    await store.close();
    await databases.drop();
  });

  const organizationWith = (
    id: string,
    key: { readonly id: string; readonly key: string },
    app: App,
  ): TestOrganization => ({
    id,
    key: key.key,
    keyId: key.id,
    ...client(app, key.key),
    withScopes: async (...scopes) => {
      const input = { organization_id: id, name: 'Test', scopes, expires_in_days: null };
      return organizationWith(id, await createApiKey(store, input, 'test'), app);
    },
    through: (other) => organizationWith(id, key, other),
    revoke: async () => {
      await revokeApiKey(store, await findKeyIds(store, key.id), 'test');
    },
  });

  return {
    get store() {
      return store;
    },
    get app() {
      return app;
    },
    appWith,
    async organization({ scopes = ALL_SCOPES, country = 'US', app: through = app } = {}) {
      const [id, key] = [newId('org'), { id: newId('key'), key: newKey() }];
      await insertOrganization(store, { id, country, scopes, key });
      return organizationWith(id, key, through);
    },
  };
}
