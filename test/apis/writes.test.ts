import { expect, it } from 'vitest';
import { purgeIdempotencyRecords } from '../../src/domain/core/idempotency.ts';
import type { Database } from '../../src/store/database.ts';
import { appOn } from '../support/apps.ts';
import { person } from '../support/data.ts';
import { makeKey, openAdminPages } from '../support/developer/developer-pages.ts';
import { onOneStore } from '../support/service.ts';

const WRITES = /\b(INSERT INTO|UPDATE|DELETE FROM)\b/;

/** A database that rejects writes on connections that are shared with reads, where they may run twice. */
function readingOnly(db: Database): Database {
  return {
    ...db,
    rows: async (statement) => {
      if (WRITES.test(statement.text)) throw new Error(`this writes as if it read: ${statement.text}`);
      return db.rows(statement);
    },
    forRequest: (request) => readingOnly(db.forRequest(request)),
  };
}

onOneStore((service) => {
  it('never writes on shared connections: members, prayer requests, errors, idempotency records', async () => {
    const db = readingOnly(service.store.db);
    const organization = (await service.organization()).through(appOn(service, { db }));
    const member = person();
    const created = await organization.post('/members', member);
    const answers = [
      created,
      await organization.post('/members', member),
      await organization.patch(`/members/${created.json.data.id}`, { city: 'Accra' }),
      await organization.patch(`/members/${created.json.data.id}/tags`, { add: [] }),
      await organization.post('/prayer-requests', { description: 'Rain' }, { 'Idempotency-Key': 'a' }),
      await organization.post('/prayer-requests', { description: 'Rain' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 409, 200, 200, 201, 201]);
    await purgeIdempotencyRecords(db);
  });

  it('never writes on shared connections: sessions and keys of the developer pages', async () => {
    const app = appOn(service, { db: readingOnly(service.store.db), developer: { operatorPassword: undefined } });
    const admin = await openAdminPages(service, app);
    const { id } = await makeKey(admin);
    expect((await admin.own.get(`${admin.place}/keys/${id}`)).status).toBe(200);
  });
});
