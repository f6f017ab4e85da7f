import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import {
  type Administrator,
  checkAdministratorPassword,
  createAdministrator,
  listAdministrators,
  revokeAdministrator,
} from '../../../src/domain/accounts/administrator.ts';
import { hashPassword } from '../../../src/domain/accounts/password.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { FairQueue } from '../../../src/store/connections/fair-queue.ts';
import { sql } from '../../../src/store/sql.ts';
import { times } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';

const PASSWORD = 'correct horse battery';
const newAddress = () => `admin.${randomUUID()}@example.org`;

onOneDatabase((service) => {
  const create = async (fields: Record<string, unknown> = {}) => {
    const { id: organization_id } = await service.organization();
    const input = { organization_id, email: newAddress(), name: null, password: PASSWORD, ...fields };
    return createAdministrator(service.store, input, 'cli:test');
  };
  const signIn = async (email: string, password: string) => {
    const { administrators, isCorrect } = await checkAdministratorPassword(service.store, email, password);
    return isCorrect ? administrators.map(({ id }) => id) : undefined;
  };

  it('signs in with email address and password, ignoring the case of the address', async () => {
    const made = await create({ email: ' Robin.Field@Example.ORG '.replace('Field', randomUUID()), name: ' Robin ' });
    expect(made).toEqual({
      id: expect.stringMatching(/^adm_/),
      organization_id: expect.stringMatching(/^org_/),
      email: made.email.trim().toLowerCase(),
      name: 'Robin',
      state: 'active',
      created_at: expect.stringMatching(/Z$/),
      revoked_at: null,
    });
    expect(await signIn(made.email.toUpperCase(), PASSWORD)).toEqual([made.id]);
    expect(await signIn(made.email, `${PASSWORD}!`)).toBeUndefined();
    expect(await signIn(newAddress(), PASSWORD)).toBeUndefined();
    expect(await signIn('no\0address', PASSWORD)).toBeUndefined();
  });

  it('requires an address that is unique in the organization until revoked; of three concurrent creations one succeeds', async () => {
    const email = newAddress();
    const { id: organization_id } = await service.organization();
    const results = await Promise.allSettled(times(3, () => create({ email, organization_id })));
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(made).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'email_in_use' } });
    await revokeAdministrator(service.store, made[0]?.id as string, 'cli:test');
    expect((await create({ email, organization_id })).email).toBe(email);
  });

  it('signs in with one address to the organization whose password it is', async () => {
    const email = newAddress();
    const one = await create({ email });
    const other = await create({ email, password: `${PASSWORD} 2` });
    expect(await signIn(email, PASSWORD)).toEqual([one.id]);
    expect(await signIn(email, `${PASSWORD} 2`)).toEqual([other.id]);
    expect(await signIn(email, `${PASSWORD} 3`)).toBeUndefined();
    await revokeAdministrator(service.store, one.id, 'cli:test');
    expect(await signIn(email, PASSWORD)).toBeUndefined();
    expect(await signIn(email, `${PASSWORD} 2`)).toEqual([other.id]);
  });

  it('is checked with one hash, however many organizations its address signs in to', async () => {
    const email = newAddress();
    const made: Administrator[] = [];
    for (const n of times(16, (one) => one)) made.push(await create({ email, password: `${PASSWORD} ${n % 2}` }));
    const hashed = vi.spyOn(FairQueue.prototype, 'take');
    const hashesOf = async (name: string, password: string) => {
      hashed.mockClear();
      const ids = await signIn(name, password);
      return [ids, hashed.mock.calls.filter(([turn]) => turn === name).length];
    };
    const [even, odd] = [0, 1].map((n) => made.filter((_, index) => index % 2 === n).map(({ id }) => id));
    expect(await hashesOf(email, `${PASSWORD} 0`)).toEqual([even, 1]);
    expect(await hashesOf(email, `${PASSWORD} 1`)).toEqual([odd, 1]);
    expect(await hashesOf(email, PASSWORD)).toEqual([undefined, 1]);
    expect(await hashesOf(newAddress(), PASSWORD)).toEqual([undefined, 1]);
    hashed.mockRestore();
  });

  it('of an earlier version has a salt of its own, which later passwords of the address share', async () => {
    const email = newAddress();
    const older = await create({ email });
    await service.store.db.rows(sql`
      UPDATE administrator SET password_hash = ${await hashPassword(email, PASSWORD)} WHERE id = ${older.id}`);
    const newer = await create({ email, password: `${PASSWORD} 2` });
    expect(await signIn(email, PASSWORD)).toEqual([older.id]);
    expect(await signIn(email, `${PASSWORD} 2`)).toEqual([newer.id]);
  });

  it('is revoked permanently, remains listed, and is audited', async () => {
    const { id, email, organization_id } = await create();
    const revoked = await revokeAdministrator(service.store, id, 'cli:one');
    expect(revoked).toMatchObject({ id, email, state: 'revoked', revoked_at: expect.stringMatching(/Z$/) });
    expect(await revokeAdministrator(service.store, id, 'cli:two')).toEqual(revoked);
    expect(await signIn(email, PASSWORD)).toBeUndefined();
    expect(await listAdministrators(service.store, organization_id)).toEqual([revoked]);
    const audit = await listAudit(service.store, { organization_id, record_id: id, limit: 10 });
    expect(audit.map(({ operation, actor }) => [operation, actor])).toEqual([
      ['revokeAdministrator', 'cli:two'],
      ['revokeAdministrator', 'cli:one'],
      ['createAdministrator', 'cli:test'],
    ]);
    await expect(revokeAdministrator(service.store, 'adm_unknown', 'x')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['name', { name: 'x'.repeat(256) }],
    ['password', { password: 'short' }],
    ['is_operator', { is_operator: true }],
  ])('rejects an invalid %s: %j', async (field, fields) => {
    await expect(create(fields)).rejects.toMatchObject({ code: 'invalid_request', details: [{ field }] });
  });
});
