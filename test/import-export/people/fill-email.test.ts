import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { filledAddress, parseFillEmail } from '../../../src/import-export/resources/member-addresses.ts';
import { person } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { exported, importText, ndjson, reasons } from '../imports.ts';

describe('the template of an address', () => {
  it.each([
    ['people@example.org', /must have the placeholder {external_id} before the @/],
    ['people@{external_id}.example.org', /must have the placeholder {external_id} before the @/],
    ['{external_id}{external_id}@example.org', /once, and no others/],
    ['{external_id}.{last_name}@example.org', /once, and no others/],
    ['{external_id}', /does not make email addresses/],
    ['{external_id}@localhost', /does not make email addresses/],
    ['{external_id} @example.org', /does not make email addresses/],
    [`${'x'.repeat(30)}{external_id}@example.org`, /does not make email addresses/],
    ['{external_id}@people.invalid', /must have a domain of yours that receives mail/],
    ['{external_id}@example', /does not make email addresses/],
  ])('is refused if it is %s', (template, message) => {
    expect(() => parseFillEmail(template)).toThrow(
      expect.objectContaining({ details: [{ field: '--fill-email', message: expect.stringMatching(message) }] }),
    );
  });

  it('makes another address of each id of each system', () => {
    const fillEmail = parseFillEmail('Office+{external_id}@People.example.org');
    const addressOf = (id: string, source = '') => filledAddress({ fillEmail, source }, id) as string;
    expect(addressOf('17')).toBe('office+17@people.example.org');
    expect(addressOf('17', 'crm')).toBe('office+crm.17@people.example.org');
    expect(addressOf('crm:17')).toBe(addressOf('17', 'crm'));
    expect(addressOf('Ada / Hill')).toMatch(/^office\+ada-hill-[0-9a-f]{10}@people\.example\.org$/);
    const ids = ['a1', 'A1', 'ä1', 'a 1', 'a.1', 'a-1', '.a1', 'a1@x', '李', '王', 'x'.repeat(90), 'x'.repeat(91)];
    const addresses = ids.flatMap((id) => [addressOf(id), addressOf(id, 'crm'), addressOf(id, 'CRM')]);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const address of addresses) expect(address).toMatch(/^office\+[a-z0-9_.-]{1,40}@people\.example\.org$/);
  });
});

onOneDatabase((service) => {
  const church = async () => {
    const { id } = await service.organization();
    const domain = `${randomUUID()}.example.org`;
    const importMembers = (rows: readonly object[], settings: Parameters<typeof importText>[4] = {}) =>
      importText(service.store, id, 'members.ndjson', ndjson(...rows), {
        fillEmail: `{external_id}@${domain}`,
        ...settings,
      });
    const addresses = async () =>
      Object.fromEntries((await exported(service.store, id, 'members')).map((m) => [m.first_name, m.email_address]));
    return { id, domain, importMembers, addresses };
  };
  const family = (email_address: string) =>
    ['Ada', 'Otto', 'Lina'].map((first_name, at) => ({
      external_id: String(at + 1),
      first_name,
      last_name: 'Berg',
      ...(first_name !== 'Lina' && { email_address }),
    }));

  it('gives those without an address of their own one, which they keep in later imports in any order', async () => {
    const { domain, importMembers, addresses } = await church();
    const { email_address } = person();
    const rows = family(email_address);
    const expected = { Ada: email_address, Otto: `2@${domain}`, Lina: `3@${domain}` };
    for (const dryRun of [true, false])
      expect(await importMembers(rows, { dryRun })).toMatchObject({ created: 3, rejected: 0, filled_addresses: 2 });
    expect(await addresses()).toEqual(expected);
    for (const later of [rows, rows.toReversed()]) {
      expect(await importMembers(later)).toMatchObject({ unchanged: 3, kept_addresses: 1, filled_addresses: 0 });
      expect(await importMembers(later, { fillEmail: undefined })).toMatchObject({ unchanged: 3, kept_addresses: 1 });
    }
    expect(await addresses()).toEqual(expected);
    const newer = [
      ...rows.map((row) => ({ ...row, city: 'Troy' })),
      { ...rows[0], external_id: '4', first_name: 'Nils' },
    ];
    expect(await importMembers(newer.toReversed())).toMatchObject({ created: 1, updated: 3, renamed: [] });
    expect(await addresses()).toEqual({ ...expected, Nils: `4@${domain}` });
  });

  it('lets people have an address of their own later, also one that another member gives up', async () => {
    const { importMembers, addresses } = await church();
    const [{ email_address: shared }, { email_address: own }] = [person(), person()];
    const [ada, otto, lina] = family(shared);
    await importMembers([ada, otto, lina] as object[]);
    const corrected = [
      { ...otto, email_address: shared },
      { ...ada, email_address: own },
    ];
    expect(await importMembers(corrected)).toMatchObject({ updated: 2, kept_addresses: 0 });
    expect(await addresses()).toMatchObject({ Ada: own, Otto: shared });
    // The old export has the address for both again.
    expect(await importMembers([ada, otto] as object[])).toMatchObject({ unchanged: 2, kept_addresses: 1 });
  });

  it('takes nobody for a member who has the address and is somebody else', async () => {
    const { id, domain, importMembers, addresses } = await church();
    const { email_address } = person();
    await importText(service.store, id, 'members.ndjson', ndjson({ ...person({ first_name: 'Eve' }), email_address }));
    const rows = [
      { ...person({ first_name: 'Max' }), external_id: '1', email_address },
      { ...person({ first_name: 'Eve', last_name: 'Moss' }), external_id: '2', email_address },
      { ...person({ first_name: 'Eve' }), external_id: '3', email_address: undefined },
    ];
    expect(await importMembers(rows)).toMatchObject({ created: 2, updated: 1, filled_addresses: 2 });
    expect(await addresses()).toMatchObject({ Max: `1@${domain}` });
  });

  it('keeps the ids of two systems apart, and rejects addresses of other organizations and rows without an id', async () => {
    const { domain, importMembers, addresses } = await church();
    const row = (first_name: string) => ({ external_id: '7', first_name, last_name: 'Berg' });
    await importMembers([row('Ada')]);
    expect(await importMembers([row('Otto')], { source: 'crm' })).toMatchObject({ created: 1 });
    expect(await addresses()).toEqual({ Ada: `7@${domain}`, Otto: `crm.7@${domain}` });
    expect(reasons(await importMembers([{ first_name: 'Lina', last_name: 'Berg' }]))).toEqual([
      'external_id: required for an address by --fill-email; email_address: required',
    ]);
    const invalid = { ...row('Lina'), external_id: '8', date_of_birth: '2026-02-30' };
    expect(reasons(await importMembers([invalid]))).toEqual([expect.stringMatching(/^date_of_birth: [^;]*; [^;]*$/)]);
    const other = await church();
    for (const dryRun of [true, false]) {
      const result = await other.importMembers([row('Eve')], { fillEmail: `{external_id}@${domain}`, dryRun });
      expect(reasons(result)).toEqual([expect.stringMatching(/belongs to somebody else; use another template/)]);
    }
  });
});
