import { beforeAll, expect, it } from 'vitest';
import { raw, sql } from '../../src/store/sql.ts';
import { appOn, recordingLog } from '../support/apps.ts';
import { client } from '../support/client.ts';
import { person } from '../support/data.ts';
import { onOneStore } from '../support/service.ts';

const PLANTED = 'Quetzalcoatlus';

onOneStore((service) => {
  /** Requests of many kinds, with a key and personal data in every part. */
  async function exercise() {
    const { log, lines } = recordingLog();
    const organization = await service.organization();
    const app = appOn(service, { log });
    const own = client(app, organization.key);
    const body = person({ first_name: PLANTED, address: `${PLANTED} Lane 1` });
    const { json } = await own.post('/members', body);
    const answers = [
      await own.post('/members', body),
      await own.post('/members', { ...body, email_address: PLANTED }),
      await own.patch(`/members/${json.data.id}`, { [organization.key]: PLANTED }),
      await own.get(`/members?limit=0&q=${PLANTED}`),
      await own.get(`/members/${organization.key}`),
      await client(app, `${organization.key}x`).get(`/members?q=${PLANTED}`),
      await client(app).get(`/members?key=${organization.key}`),
      await own.request('POST', '/members', { body: `{"${PLANTED}`, headers: { 'Content-Type': 'application/json' } }),
    ];
    return { organization, lines, answers };
  }
  let exercised: Awaited<ReturnType<typeof exercise>>;
  beforeAll(async () => {
    exercised = await exercise();
  });

  it('logs neither keys nor personal data', () => {
    const { organization, lines } = exercised;
    const logged = JSON.stringify(lines);
    expect(lines.length).toBeGreaterThan(5);
    expect(logged).not.toContain(organization.key);
    expect(logged).not.toContain(PLANTED);
  });

  it('returns no key in the body of an error, even if the client sent it as the name of a field', () => {
    const { organization, answers } = exercised;
    for (const { status, text } of answers.slice(2)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain(organization.key);
    }
  });

  it('stores no key in any table', async () => {
    const { organization } = exercised;
    const tables = await service.store.db.rows<{ name: string }>(
      sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(15);
    for (const { name } of tables) {
      const found = await service.store.db.rows(
        sql`SELECT 1 FROM ${raw(`"${name}"`)} AS t WHERE t::text LIKE ${`%${organization.key}%`} LIMIT 1`,
      );
      expect([name, found]).toEqual([name, []]);
    }
  });
});
