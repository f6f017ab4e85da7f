import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createAdministrator, revokeAdministrator } from '../../../src/domain/accounts/administrator.ts';
import { inviteAdministrator } from '../../../src/domain/accounts/invitation.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { sql } from '../../../src/store/sql.ts';
import { times } from '../../support/data.ts';
import { changed, developerApp, formIn, signIn, visitor } from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';

const PASSWORD = 'correct horse battery';
const OTHER = 'quite another password';
const pathOf = (organization: string) => `/developer/organizations/${organization}`;

onOneStore((service) => {
  let app: App;
  beforeAll(() => {
    app = developerApp(service);
  });
  const newOrganization = (name: string) => createOrganization(service.store, { name, country: 'US' }, 'test');
  const newAddress = () => `admin.${randomUUID()}@example.org`;
  const administratorOf = async (name: string, email: string, password = PASSWORD) =>
    createAdministrator(service.store, { organization_id: (await newOrganization(name)).id, email, password }, 'test');
  const signedInAs = async (email: string, password = PASSWORD) => {
    const own = visitor(app);
    const { status } = await signIn(own, email, password);
    return { own, status };
  };
  const setPassword = async (token: string, password: string) => {
    const own = visitor(app);
    const form = formIn(await own.get(`/developer/set-password?token=${token}`), '/set-password');
    const answer = await own.send(changed(form, 'password', password));
    return { own, answer };
  };

  describe('an address that administers several organizations', () => {
    it('opens those with the password of the sign-in, in a list', async () => {
      const email = newAddress();
      const [one, two] = [await administratorOf('One', email), await administratorOf('Two', email)];
      const three = await administratorOf('Three', email, OTHER);
      const { own } = await signedInAs(email);
      const list = (await own.get('/developer')).text;
      for (const { organization_id } of [one, two]) {
        expect(list).toContain(`href="${pathOf(organization_id)}"`);
        expect((await own.get(pathOf(organization_id))).status).toBe(200);
      }
      expect(list).not.toContain(three.organization_id);
      expect((await own.get(pathOf(three.organization_id))).status).toBe(404);
      const { own: third } = await signedInAs(email, OTHER);
      expect((await third.get('/developer')).headers.get('location')).toBe(pathOf(three.organization_id));
      expect((await third.get(pathOf(one.organization_id))).status).toBe(404);
    });

    it('acts in each organization as its administrator, and each audits the sign-in', async () => {
      const email = newAddress();
      const all = [await administratorOf('One', email), await administratorOf('Two', email)];
      const { own } = await signedInAs(email);
      for (const { id, organization_id } of all) {
        const form = formIn(await own.get(`${pathOf(organization_id)}/settings`), '/settings');
        expect((await own.send(changed(form, 'name', 'Renamed'))).status).toBe(303);
        const audit = await listAudit(service.store, { organization_id, limit: 2 });
        expect(audit.map(({ operation, actor }) => [operation, actor])).toEqual([
          ['updateOrganization', `developer:${id}`],
          ['signIn', `developer:${id}`],
        ]);
      }
    });

    it('can be a thousand', async () => {
      const email = newAddress();
      const first = await administratorOf('Many 0', email);
      await service.store.db.rows(sql`
        WITH many AS (
          INSERT INTO organization (id, name, country)
          SELECT id || 'x' || n, 'Many ' || n, 'US' FROM organization, generate_series(1, 999) n
          WHERE id = ${first.organization_id} RETURNING id)
        INSERT INTO administrator (id, organization_id, email, sign_in_email, password_hash, created_by)
        SELECT a.id || many.id, many.id, a.email, a.email, a.password_hash, 'test' FROM administrator a, many
        WHERE a.id = ${first.id}`);
      const { own, status } = await signedInAs(email);
      expect(status).toBe(303);
      const list = await own.get('/developer');
      expect(list.text.match(/href="\/developer\/organizations\//g)).toHaveLength(50);
      expect(list.text.length).toBeLessThan(30_000);
      expect((await own.get('/developer?q=Many+777')).text).toContain(`${first.organization_id}x777"`);
    });

    it('changes the password in all organizations that the session opens, and no others', async () => {
      const email = newAddress();
      const [one, two] = [await administratorOf('One', email), await administratorOf('Two', email)];
      const three = await administratorOf('Three', email, OTHER);
      const { own } = await signedInAs(email);
      const next = 'the next password of both';
      const form = formIn(await own.get('/developer/account'), '/account');
      const answer = await own.send(changed(changed(form, 'current', PASSWORD), 'password', next));
      expect(answer.headers.get('location')).toBe('/developer/account?changed');
      for (const { organization_id } of [one, two]) expect((await own.get(pathOf(organization_id))).status).toBe(200);
      expect((await signedInAs(email)).status).toBe(422);
      const { own: again } = await signedInAs(email, next);
      expect((await again.get(pathOf(two.organization_id))).status).toBe(200);
      expect((await again.get(pathOf(three.organization_id))).status).toBe(404);
      expect((await signedInAs(email, OTHER)).status).toBe(303);
    });

    it('loses only the organization that revokes it', async () => {
      const email = newAddress();
      const [one, two] = [await administratorOf('One', email), await administratorOf('Two', email)];
      const { own } = await signedInAs(email);
      await revokeAdministrator(service.store, two.id, 'test');
      expect((await own.get(pathOf(one.organization_id))).status).toBe(200);
      expect((await own.get(pathOf(two.organization_id))).status).toBe(404);
    });
  });

  describe('an invitation or link of another organization', () => {
    it('opens only that organization, even with the password of another one', async () => {
      const email = newAddress();
      const victim = await administratorOf('Victim', email);
      const { id: organization_id } = await newOrganization('Attacker');
      const { token } = await inviteAdministrator(service.store, { organization_id, email }, 'test');
      const { own, answer } = await setPassword(token, PASSWORD);
      expect(answer.status).toBe(303);
      expect((await own.get('/developer')).headers.get('location')).toBe(pathOf(organization_id));
      expect((await own.get(pathOf(victim.organization_id))).status).toBe(404);
    });

    it('with another password leaves the first one valid, each for its organization', async () => {
      const email = newAddress();
      const victim = await administratorOf('Victim', email);
      const { id: organization_id } = await newOrganization('Attacker');
      const { token } = await inviteAdministrator(service.store, { organization_id, email }, 'test');
      await setPassword(token, OTHER);
      for (const [password, opened, closed] of [
        [PASSWORD, victim.organization_id, organization_id],
        [OTHER, organization_id, victim.organization_id],
      ] as const) {
        const { own } = await signedInAs(email, password);
        expect((await own.get(pathOf(opened))).status).toBe(200);
        expect((await own.get(pathOf(closed))).status).toBe(404);
      }
    });

    it('does not change a session that is open', async () => {
      const email = newAddress();
      const victim = await administratorOf('Victim', email);
      const { own } = await signedInAs(email);
      const { id: organization_id } = await newOrganization('Later');
      const { token } = await inviteAdministrator(service.store, { organization_id, email }, 'test');
      await setPassword(token, PASSWORD);
      expect((await own.get(pathOf(victim.organization_id))).status).toBe(200);
      expect((await own.get(pathOf(organization_id))).status).toBe(404);
    });
  });

  it('keeps the ten latest sessions of an administrator', async () => {
    const one = await administratorOf('One', newAddress());
    await Promise.all(times(3, () => signedInAs(one.email)));
    await service.store.db.rows(sql`
      INSERT INTO session (token_hash, administrator_id, expires_at)
      SELECT sha256(n::text::bytea), ${one.id}, now() + interval '1 hour' FROM generate_series(1, 20) n`);
    await signedInAs(one.email);
    const rows = await service.store.db.rows(sql`SELECT FROM session WHERE administrator_id = ${one.id}`);
    expect(rows).toHaveLength(10);
  });
});
