import { expect, it } from 'vitest';
import { person, times } from '../../support/data.ts';
import { onOwnDatabase } from '../../support/service.ts';
import { importText, ndjson } from '../imports.ts';

// These tests change tables, which waits for the transactions of other tests on the same server, and delays later ones.
onOwnDatabase((service) => {
  const importRecords = (organizationId: string, name: string, content: string) =>
    importText(service.store, organizationId, name, content);

  it('stores the other rows of a batch if the database rejects a valid row', async () => {
    const us = await service.organization();
    const good = times(5, (n) => ({ ...person(), external_id: String(n) }));
    const bad = { ...person(), external_id: 'bad', created_at: '9999-12-31T23:59:59Z', date_of_birth: '1900-01-01' };
    await service.store.pool.query(
      `ALTER TABLE member ADD CONSTRAINT born_later CHECK (organization_id <> '${us.id}' OR date_of_birth > '1950-01-01')`,
    );
    try {
      const rows = ndjson(...good.slice(0, 2), bad, ...good.slice(2));
      const result = await importRecords(us.id, 'members.ndjson', rows);
      expect(result).toMatchObject({ rows: 6, created: 5, rejected: 1 });
      expect(JSON.parse(result.rejectLines[0] as string).problem).toMatch(/^line 3: .*was refused by the database/);
    } finally {
      await service.store.pool.query('ALTER TABLE member DROP CONSTRAINT born_later');
    }
  });

  it('stores the other rows of a batch if one violates a unique constraint in every attempt', async () => {
    const us = await service.organization();
    await service.store.pool.query(
      `CREATE UNIQUE INDEX one_member_per_day ON member (date_of_birth) WHERE organization_id = '${us.id}'`,
    );
    try {
      const twin = () => person({ date_of_birth: '2000-01-01' });
      const result = await importRecords(us.id, 'members.ndjson', ndjson(twin(), twin()));
      expect(result).toMatchObject({ rows: 2, created: 1, rejected: 1 });
      expect(JSON.parse(result.rejectLines[0] as string).problem).toMatch(/^line 2: .*was refused by the database/);
    } finally {
      await service.store.pool.query('DROP INDEX one_member_per_day');
    }
  });
});
