import { describe, expect, inject, it } from 'vitest';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore } from '../../src/store/store.ts';
import { appOn } from '../support/apps.ts';
import { changesAfter, changesShown } from '../support/changes.ts';
import { client } from '../support/client.ts';
import { expectError } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { createDatabases } from '../support/servers/databases.ts';

describe.skipIf(!inject('databaseUrl'))('a database restored by pg_restore', () => {
  it('lists all records, and later ones after them; the change feed rejects cursors of the original', async () => {
    const databases = createDatabases(inject('databaseUrl') as string);
    try {
      const pool = await databases.create(inject('migratedDatabase'));
      const open = () => openStore({ databaseUrl: databases.urlOf(pool), dataDirectory: '' });
      let store = await open();
      const { id } = await createOrganization(store, { name: 'Copy', country: 'US' }, 'test');
      const key = { organization_id: id, name: 'Test', scopes: ALL_SCOPES, expires_in_days: null };
      const { key: secret } = await createApiKey(store, key, 'test');
      const organization = client(appOn({ store }, {}), secret);
      const first = (await organization.post('/members', person())).json.data.id;
      await changesShown({ store });
      const { cursor } = await changesAfter(organization, undefined);
      // As after a copy from another server: rows of transactions with ids that this server has not reached.
      await store.db.write(sql`UPDATE record_change SET transaction_id = transaction_id + 1000000000`);
      await store.db.write(sql`UPDATE member SET position = position + (1::bigint << 60)`);
      await store.db.write(sql`UPDATE change_feed SET transaction_id = transaction_id`);
      await store.close();

      store = await open();
      const copy = client(appOn({ store }, {}), secret);
      expectError(await copy.get(`/changes?cursor=${cursor}`), 400, 'invalid_cursor');
      await changesShown({ store });
      const all = await changesAfter(copy, undefined);
      expect(all.changes).toMatchObject([{ id: first }]);
      const second = (await copy.post('/members', person())).json.data.id;
      await changesShown({ store });
      expect((await changesAfter(copy, all.cursor)).changes).toMatchObject([{ id: second }]);
      const { json } = await copy.get('/members');
      expect(json.data).toMatchObject([{ id: first }, { id: second }]);
      await store.close();

      store = await open();
      const restarted = client(appOn({ store }, {}), secret);
      expect((await changesAfter(restarted, all.cursor)).changes).toHaveLength(1);
      await store.close();
    } finally {
      await databases.drop();
    }
  });
});
