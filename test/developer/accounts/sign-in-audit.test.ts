import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { createMemoryRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn, intercepted } from '../../support/apps.ts';
import {
  developerApp,
  newAdministrator,
  OPERATOR_PASSWORD,
  PASSWORD,
  signIn,
  visitor,
} from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  describe('the audit of sign-ins', () => {
    /** The audited sign-ins of an organization, or those without one, newest first. */
    const signIns = async (organization_id: string | null, limit = 10) => {
      const entries = await listAudit(service.store, { organization_id, operations: ['signIn'], limit });
      return entries.map(({ id: _id, at: _at, ...entry }) => entry);
    };
    const from = (address: string) =>
      visitor(developerApp(service, { rateLimiter: createMemoryRateLimiter(120) }), undefined, address);
    const common = {
      channel: 'developer',
      operation: 'signIn',
      key_id: null,
      related_id: null,
      request_id: expect.any(String),
    };

    it('contains those of administrators, including refused ones, with the client address', async () => {
      const { id, email, organization_id } = await newAdministrator(service);
      await signIn(from('192.0.2.7'), email, 'not the password');
      await signIn(from('2001:db8::7'), ` ${email.toUpperCase()}`, PASSWORD);
      const accepted = { actor: `developer:${id}`, record_id: id, result: 'ok', client_address: '2001:db8:0:0::/64' };
      const refused = { actor: null, record_id: id, result: 'invalid_credentials', client_address: '192.0.2.7' };
      expect(await signIns(organization_id)).toEqual([
        { ...common, ...accepted },
        { ...common, ...refused },
      ]);
    });

    it('contains those of the operator without an organization', async () => {
      const address = `198.51.100.${service.store.embedded ? 1 : 2}`;
      await signIn(from(address), ' Operator', 'not the password');
      await signIn(from(address), 'operator', OPERATOR_PASSWORD);
      const own = (await signIns(null, 500)).filter((entry) => entry.client_address === address);
      const operator = { record_id: 'operator', client_address: address };
      expect(own).toEqual([
        { ...common, ...operator, actor: 'developer:operator', result: 'ok' },
        { ...common, ...operator, actor: null, result: 'invalid_credentials' },
      ]);
    });

    it('contains those with an unknown email address, without the address', async () => {
      const address = `203.0.113.${service.store.embedded ? 1 : 2}`;
      const name = `nobody.${randomUUID()}@example.org`;
      await signIn(from(address), name, 'a password that went astray');
      const [entry] = (await signIns(null, 500)).filter((one) => one.client_address === address);
      const unknown = { actor: null, record_id: null, result: 'invalid_credentials', client_address: address };
      expect(entry).toEqual({ ...common, ...unknown });
      for (const sent of [name, 'went astray']) {
        const found = await service.store.db.rows(sql`SELECT FROM audit_entry a WHERE a::text LIKE ${`%${sent}%`}`);
        expect(found).toEqual([]);
      }
    });

    it('rejects a sign-in that cannot be audited', async () => {
      const { id, email } = await newAdministrator(service);
      const prisma = intercepted(service.store.prisma, (query) => {
        if (query === 'AuditEntry.createMany') throw new pg.DatabaseError('no audit', 1, 'error');
      });
      const own = visitor(
        appOn(service, { prisma, trustProxy: 1, developer: { operatorPassword: OPERATOR_PASSWORD } }),
      );
      expect((await signIn(own, email, PASSWORD)).status).toBe(503);
      expect(own.cookie).toBeUndefined();
      expect(await service.store.db.rows(sql`SELECT FROM session WHERE administrator_id = ${id}`)).toEqual([]);
    });
  });
});
