import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import {
  type Administrator,
  createAdministrator,
  revokeAdministrator,
} from '../../../src/domain/accounts/administrator.ts';
import { findSession, IDLE_MINUTES, openSession } from '../../../src/domain/accounts/sign-in-session.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneDatabase } from '../../support/service.ts';

onOneDatabase((service) => {
  const sessions = () => ({ prisma: service.store.prisma, operatorPassword: 'the operator’s own' });
  const newAdministrator = async () => {
    const { id: organization_id } = await service.organization();
    const email = `admin.${randomUUID()}@example.org`;
    return createAdministrator(service.store, { organization_id, email, password: 'correct horse battery' }, 'test');
  };
  let administrator: Administrator;
  beforeAll(async () => {
    administrator = await newAdministrator();
  });

  it('is identified only by its token, which is stored hashed', async () => {
    const token = await openSession(sessions(), [administrator.id]);
    const rows = await service.store.db.rows(sql`SELECT encode(token_hash, 'escape') AS hash, s.* FROM session s`);
    expect(JSON.stringify(rows)).not.toContain(token.slice(1));
    for (const other of [`o${token.slice(1)}`, `${token.slice(0, -1)}_`, token.slice(1), '', 'a\0', `${token}a`]) {
      if (other !== token) expect(await findSession(sessions(), other)).toBeUndefined();
    }
  });

  it('ends after a period without use', async () => {
    const { id } = await newAdministrator();
    const token = await openSession(sessions(), [id]);
    const leaveUnused = (time: string) =>
      service.store.db.rows(sql`
        UPDATE session SET seen_at = seen_at - ${time}::interval WHERE administrator_id = ${id}`);
    for (const _ of [1, 2, 3]) {
      await leaveUnused(`${IDLE_MINUTES - 1} minutes`);
      expect(await findSession(sessions(), token)).toBeDefined();
    }
    // The time is rounded to milliseconds.
    await leaveUnused(`${IDLE_MINUTES} minutes 1 second`);
    expect(await findSession(sessions(), token)).toBeUndefined();
  });

  it('ends when its administrator is revoked, also if it was opened during the revocation', async () => {
    const { id } = await newAdministrator();
    const token = await openSession(sessions(), [id]);
    await revokeAdministrator(service.store, id, 'test');
    expect(await findSession(sessions(), token)).toBeUndefined();
    expect(await findSession(sessions(), await openSession(sessions(), [id]))).toBeUndefined();
  });
});
