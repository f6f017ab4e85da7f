import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { person, times } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { codes, exported, importText, ndjson, reasons } from '../imports.ts';

/** More rows than a batch has. */
const ROWS_OF_A_BATCH = 151;

const BORN = { date_of_birth: '1990-03-14' };

onOneDatabase((service) => {
  const importMembers = (id: string, rows: readonly object[], settings: Parameters<typeof importText>[4] = {}) =>
    importText(service.store, id, 'members.ndjson', ndjson(...rows), settings);
  const members = (id: string) => exported(service.store, id, 'members');
  const ada = (fields: object = {}) => person({ first_name: 'Ada', last_name: 'Hill', ...fields });
  const ben = (fields: object = {}) => person({ first_name: 'Ben', last_name: 'Lake', ...fields });

  it('creates the first person of a household with one address, and rejects the others with its line', async () => {
    const { id } = await service.organization();
    const { email_address } = person();
    const household = [
      ada({ email_address, city: 'Troy' }),
      ada({ email_address, first_name: 'Otto', city: 'Rome' }),
      ada({ email_address, first_name: 'Ada', gender: 'Male' }),
    ];
    for (const dryRun of [true, false]) {
      const result = await importMembers(id, household, { dryRun });
      expect(result).toMatchObject({ created: 1, updated: 0, rejected: 2 });
      expect(new Set(codes(result))).toEqual(new Set(['member_exists']));
      const reason = expect.stringMatching(/^email_address: is also the address on line 1; [^;]*$/);
      expect(reasons(result)).toEqual([reason, reason]);
      expect(reasons(result).join()).not.toContain('--trust-email');
    }
    expect(await members(id)).toMatchObject([{ first_name: 'Ada', city: 'Troy', gender: null }]);
  });

  it('rejects rows whose id is that of somebody else, unless they are of another source', async () => {
    const { id } = await service.organization();
    await importMembers(id, [ada({ external_id: '17', phone_number: '202-555-0117' })]);
    const other = ben({ external_id: '17' });
    const rejected = await importMembers(id, [other]);
    expect(reasons(rejected)).toEqual([expect.stringMatching(/"17" belongs to Ada Hill, who.*--source/)]);
    expect(await importMembers(id, [other], { source: 'crm' })).toMatchObject({ created: 1 });
    expect(await importMembers(id, [other], { source: 'crm' })).toMatchObject({ unchanged: 1 });
    expect((await members(id)).map(({ external_id }) => external_id)).toEqual(['17', 'crm:17']);
    expect(await importMembers(id, await members(id))).toMatchObject({ unchanged: 2 });
  });

  it.each([
    ['another last name', { last_name: 'Moss' }, 'updated'],
    ['another first name', { first_name: 'Eve' }, 'updated'],
    ['another address', { email_address: 'new' }, 'updated'],
    ['no address and the same name', { email_address: undefined, city: 'Rome' }, 'updated'],
    ['another last name and another spelling of the first', { first_name: 'ÁDA', last_name: 'Moss' }, 'updated'],
    [
      'another last name and address, and the same birthday',
      { last_name: 'Moss', email_address: 'new', ...BORN },
      'rejected',
    ],
    ['another last name and birthday', { last_name: 'Moss', date_of_birth: '1960-01-02' }, 'rejected'],
    [
      'another first name and address, and the same birthday',
      { first_name: 'Eve', email_address: 'new', ...BORN },
      'rejected',
    ],
    ['no name', { first_name: undefined, last_name: undefined, city: 'Rome' }, 'updated'],
    ['another last name and address', { last_name: 'Moss', email_address: 'new' }, 'rejected'],
    ['another first name and address', { first_name: 'Eve', email_address: 'new' }, 'rejected'],
    ['another name', { first_name: 'Eve', last_name: 'Moss' }, 'rejected'],
    ['another first name and no address', { first_name: 'Eve', email_address: undefined }, 'rejected'],
  ])('treats a row with the id of a member and %s as that member or not', async (_, changes: object, outcome) => {
    const { id } = await service.organization();
    const before = ada({ external_id: '1' });
    await importMembers(id, [{ ...before, ...BORN }]);
    const { email_address } = person();
    const row = {
      ...before,
      ...changes,
      ...(Object.values(changes).includes('new') && { email_address }),
    };
    expect(await importMembers(id, [row])).toMatchObject({ [outcome]: 1 });
  });

  it('does not take somebody of a family with one address for the member whose id the row has', async () => {
    const { id } = await service.organization();
    const before = ada({ external_id: '17' });
    await importMembers(id, [before]);
    // A file of another system, imported without --source.
    const family = [
      { ...before, first_name: 'Otto', city: 'Rome' },
      { ...before, external_id: '18' },
    ];
    for (const rows of [family, family.toReversed()]) {
      const result = await importMembers(id, rows);
      expect(reasons(result)).toContainEqual(expect.stringMatching(/"17" belongs to Ada Hill, who has another name/));
    }
    expect(await members(id)).toMatchObject([{ first_name: 'Ada', city: null }]);
  });

  it('links another id of the same person, and rejects that of somebody with another last name or birthday', async () => {
    const { id } = await service.organization();
    const before = ada({ external_id: 'P-1', date_of_birth: '1990-03-14' });
    await importMembers(id, [before]);
    const refused: [row: object, reason: RegExp][] = [
      [{ ...before, external_id: 'B-8', last_name: 'Moss' }, /external_id "P-1".*--source.*--map 'COLUMN='/],
      [{ ...before, external_id: 'B-8', date_of_birth: '1960-01-02' }, /who has another birthday/],
    ];
    for (const [row, reason] of refused)
      expect(reasons(await importMembers(id, [row]))).toEqual([expect.stringMatching(reason)]);
    expect(await importMembers(id, [{ ...before, external_id: 'B-9', city: 'Lisbon' }])).toMatchObject({ updated: 1 });
    expect(await importMembers(id, [{ external_id: 'B-9', city: 'Porto' }])).toMatchObject({ updated: 1 });
    expect(await members(id)).toMatchObject([{ external_id: 'P-1', city: 'Porto', date_of_birth: '1990-03-14' }]);
  });

  it('does not take a row without an id for a member who has a row with the own id in the file', async () => {
    const { id } = await service.organization();
    const berg = ada({ external_id: '1', phone_number: '202-555-0117' });
    await importMembers(id, [berg]);
    const { email_address } = person();
    const costa = { ...berg, external_id: undefined, last_name: 'Costa', phone_number: undefined };
    const rows = [costa, { ...berg, email_address }];
    expect(await importMembers(id, rows)).toMatchObject({ created: 1, updated: 1 });
    expect(await members(id)).toMatchObject([
      { last_name: 'Hill', email_address },
      { last_name: 'Costa', email_address: berg.email_address, phone_number: null },
    ]);
  });

  it('does not take a person with another birthday for the member with this address and first name', async () => {
    const { id } = await service.organization();
    const father = ben({ date_of_birth: '1950-01-01', phone_number: '202-555-0101' });
    const son = { ...father, date_of_birth: '1980-01-01', phone_number: '202-555-0102' };
    const first = await importMembers(id, [father, son]);
    expect(first).toMatchObject({ created: 1, rejected: 1 });
    const again = await importMembers(id, [son]);
    expect(reasons(again)).toEqual([expect.stringMatching(/is the address of Ben Lake, who has another birthday/)]);
    expect(await members(id)).toMatchObject([{ date_of_birth: '1950-01-01', phone_number: '+12025550101' }]);
  });

  it('takes an address as a stored member where the operator says so, and lists the new name', async () => {
    const { id } = await service.organization();
    const before = ada();
    await importMembers(id, [before]);
    const rows = [
      { ...before, first_name: 'Adelaide' },
      { ...before, first_name: 'Adele' },
    ];
    const [{ id: memberId }] = (await service.store.db.rows<{ id: string }>(sql`
      SELECT id FROM member WHERE organization_id = ${id}`)) as [{ id: string }];
    for (const dryRun of [true, false]) {
      expect(await importMembers(id, rows, { trustsAddresses: true, dryRun })).toMatchObject({
        updated: 1,
        rejected: 1,
        renamed_rows: 1,
        renamed: [{ id: memberId, line: 1, before: 'Ada Hill', after: 'Adelaide Hill' }],
      });
    }
    expect(await members(id)).toMatchObject([{ first_name: 'Adelaide' }]);
  });

  it.each([{}, { trustsAddresses: true }])('never joins people of a family who have ids, with %j', async (options) => {
    const { id } = await service.organization();
    const { email_address } = person();
    const family = ['Ada', 'Otto', 'Lina'].map((first_name, at) =>
      ada({ external_id: String(at), first_name, email_address, city: first_name }),
    );
    expect(await importMembers(id, family, options)).toMatchObject({ created: 1, rejected: 2 });
    const others = [...family.slice(1), { ...family[0], city: 'Troy' }];
    expect(await importMembers(id, others, options)).toMatchObject({ updated: 1, rejected: 2, renamed: [] });
    expect(await members(id)).toMatchObject([{ first_name: 'Ada', city: 'Troy' }]);
  });

  it('does not store two people with the same id in one member', async () => {
    const { id } = await service.organization();
    const before = ada({ external_id: '1' });
    await importMembers(id, [before]);
    const named = { external_id: '1', first_name: 'Ada', last_name: 'Hill', city: 'Troy' };
    const result = await importMembers(id, [named, { ...before, first_name: 'Eve', city: 'Rome' }]);
    expect(reasons(result)).toEqual([expect.stringMatching(/"1" belongs to Ada Hill, who has another row/)]);
    expect(await members(id)).toMatchObject([{ first_name: 'Ada', city: 'Troy' }]);
  });

  it('moves and exchanges addresses between rows that are many batches apart', async () => {
    const { id } = await service.organization();
    const [one, two, three] = [ada({ external_id: '1' }), ben({ external_id: '2' }), ada({ external_id: '3' })];
    await importMembers(id, [one, two, three]);
    const { email_address: free } = person();
    const rows = [
      { ...one, email_address: two.email_address },
      ben({ external_id: 'new', first_name: 'Cleo', email_address: three.email_address }),
      ...times(ROWS_OF_A_BATCH, () => ({ external_id: '1', city: 'Troy' })),
      { ...two, email_address: one.email_address },
      { ...three, email_address: free },
    ];
    const expected = { created: 1, updated: 4, unchanged: 150, rejected: 0 };
    expect(await importMembers(id, rows, { dryRun: true })).toMatchObject(expected);
    expect(await importMembers(id, rows)).toMatchObject(expected);
    const stored = Object.fromEntries((await members(id)).map((row) => [row.external_id, row.email_address]));
    expect(stored).toEqual({ 1: two.email_address, 2: one.email_address, 3: free, new: three.email_address });
  });

  it('keeps the stored address of a member if nobody in the file gives up the new one, and stores the rest', async () => {
    const { id } = await service.organization();
    const [one, two] = [ada({ external_id: '1' }), ben({ external_id: '2' })];
    await importMembers(id, [one, two]);
    const { email_address } = person();
    const rows = [
      { ...one, email_address: two.email_address, city: 'Rome' },
      { external_id: '2', city: 'Troy' },
      ben({ external_id: '3', email_address }),
      // The address of a row above, which remains that of its member.
      { ...two, email_address, zip_code: '12345' },
    ];
    for (const dryRun of [true, false])
      expect(await importMembers(id, rows, { dryRun })).toMatchObject({ created: 1, updated: 3, kept_addresses: 2 });
    expect(await members(id)).toMatchObject([
      { ...one, city: 'Rome' },
      { ...two, city: 'Troy', zip_code: '12345' },
      { external_id: '3', email_address },
    ]);
    expect(await importMembers(id, rows)).toMatchObject({ unchanged: 4, kept_addresses: 2 });
  });

  it('counts the members who get an id of another system as updated', async () => {
    const { id } = await service.organization();
    const rows = [ada({ external_id: '1' }), ben({ external_id: '2' })];
    await importMembers(id, rows);
    const source = 'crm';
    expect(await importMembers(id, rows, { source })).toMatchObject({ updated: 2, linked_ids: 2, renamed: [] });
    expect(await importMembers(id, rows, { source })).toMatchObject({ unchanged: 2, linked_ids: 0 });
  });
});
