import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { openStore } from '../../src/store/store.ts';
import { type RunningService, startService } from '../support/processes/running.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { eventually } from '../support/time/eventually.ts';

describe.skipIf(!inject('databaseUrl'))('a PostgreSQL database that is read-only when the service starts', () => {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  const { folder } = temporaryStores();
  let databaseUrl: string;
  let key: string;
  let setReadOnly: (value: 'on' | 'off') => Promise<void>;
  let service: RunningService | undefined;
  beforeEach(async () => {
    const pool = await databases.create(inject('migratedDatabase'));
    databaseUrl = databases.urlOf(pool);
    const name = new URL(databaseUrl).pathname.slice(1);
    setReadOnly = async (value) => {
      await pool.query(`BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${value}; COMMIT`);
      await pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    };
    const store = await openStore({ databaseUrl, dataDirectory: '' });
    const { id } = await createOrganization(store, { name: 'Read only', country: 'US' }, 'test');
    const scopes = ['tags.view', 'prayer_requests.create'] as const;
    ({ key } = await createApiKey(store, { organization_id: id, name: 'Test', scopes, expires_in_days: null }, 'test'));
    await store.close();
    await setReadOnly('on');
  });
  afterEach(() => service?.stop());
  afterAll(() => databases.drop());

  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    const response = await fetch(`${service?.address}${path}`, { headers, ...init });
    return { status: response.status, json: await response.json() };
  };

  it('serves reads, and is not ready until it accepts writes', async () => {
    service = await startService({ DATABASE_URL: databaseUrl, DATA_DIR: await folder() });
    expect(await ask('/readyz')).toMatchObject({ status: 200, json: { store: 'read_only' } });
    expect(await ask('/readyz?write=1')).toMatchObject({ status: 503, json: { store: 'read_only' } });
    expect(await ask('/v1/tags')).toMatchObject({ status: 200, json: { data: [] } });
    const submission = { method: 'POST', body: JSON.stringify({ description: 'Sent while it is read-only' }) };
    expect(await ask('/v1/prayer-requests', submission)).toMatchObject({
      status: 503,
      json: { error: { code: 'unavailable' } },
    });
    await setReadOnly('off');
    await eventually(async () => expect((await ask('/readyz?write=1')).status).toBe(200));
    expect((await ask('/v1/prayer-requests', submission)).status).toBe(201);
  });
});
