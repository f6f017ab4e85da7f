import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneDatabase } from '../../support/service.ts';
import { exported, importText, ndjson } from '../imports.ts';

onOneDatabase((service) => {
  const importRecords = (organizationId: string, name: string, content: string, settings = {}) =>
    importText(service.store, organizationId, name, content, settings);
  const members = (organizationId: string) => exported(service.store, organizationId, 'members');

  it('imports a spreadsheet with common column names and local date and phone formats', async () => {
    const gb = await service.organization({ country: 'GB' });
    const [one, two] = [randomUUID(), randomUUID()];
    const csv = [
      '\ufeffMember ID;First Name;Surname;E-Mail;Mobile;Sex;Birthday;Post code;Visitor;Shoe size',
      `17;Ada;"O""Neil; the younger";ADA.${one}@Example.org;020 7946 0018;f;3/4/1990;SE15 4QN;yes;39`,
      `18;"Ben\nJohn";Hill;ben.${two}@example.org;;;;;;`,
    ].join('\r\n');
    const result = await importRecords(gb.id, 'members.csv', `${csv}\r\n`);
    expect(result).toMatchObject({ rows: 2, created: 2, rejected: 0, complete: true, rejects: null });
    expect(result.columns).toEqual({
      'Member ID': 'external_id',
      'First Name': 'first_name',
      Surname: 'last_name',
      'E-Mail': 'email_address',
      Mobile: 'phone_number',
      Sex: 'gender',
      Birthday: 'date_of_birth',
      'Post code': 'zip_code',
      Visitor: 'is_guest',
      'Shoe size': null,
    });
    const [ada, ben] = await members(gb.id);
    expect(ada).toMatchObject({
      external_id: '17',
      first_name: 'Ada',
      last_name: 'O"Neil; the younger',
      email_address: `ada.${one}@example.org`,
      phone_number: '+442079460018',
      gender: 'Female',
      date_of_birth: '1990-04-03',
      zip_code: 'SE15 4QN',
      is_guest: true,
    });
    expect(ben).toMatchObject({ external_id: '18', first_name: 'Ben\nJohn', phone_number: null, is_guest: false });
    const found = await gb.get('/members?q=02079460018');
    expect(found.json.data).toMatchObject([{ first_name: 'Ada' }]);
  });

  it('changes nothing on a second import of the same file, and only the differences of another', async () => {
    const us = await service.organization();
    const people = times(3, (n) => ({ external_id: `crm-${n}`, ...person({ phone_number: '650-253-0000' }) }));
    expect(await importRecords(us.id, 'members.ndjson', ndjson(...people))).toMatchObject({ created: 3 });
    const before = await members(us.id);
    expect(await importRecords(us.id, 'members.ndjson', ndjson(...people))).toMatchObject({ created: 0, unchanged: 3 });
    expect(await members(us.id)).toEqual(before);
    const later = [
      { external_id: 'crm-1', city: 'Troy', phone_number: null },
      { ...people[2], gender: 'f' },
    ];
    expect(await importRecords(us.id, 'members.ndjson', ndjson(...later))).toMatchObject({ updated: 2, unchanged: 0 });
    const after = await members(us.id);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).toEqual({ ...before[1], city: 'Troy', phone_number: null, updated_at: expect.any(String) });
    expect(after[2]).toEqual({ ...before[2], gender: 'Female', updated_at: expect.any(String) });
    expect(after.map(({ external_id }) => external_id)).toEqual(['crm-0', 'crm-1', 'crm-2']);
  });

  it('ignores empty cells', async () => {
    const us = await service.organization();
    const { email_address } = person();
    await importRecords(us.id, 'members.csv', `id,first name,last name,email,city\n1,Ada,Hill,${email_address},Troy\n`);
    const again = await importRecords(us.id, 'members.csv', `id,gender,city\n1,f,\n`);
    expect(again).toMatchObject({ updated: 1, rejected: 0 });
    expect(await members(us.id)).toMatchObject([{ gender: 'Female', city: 'Troy' }]);
  });

  it('resolves the designation and tags of members by name, without removing tags', async () => {
    const us = await service.organization();
    const records = recordsOf(service, us.id);
    await records.designation({ name: 'Usher' });
    await records.tag({ name: 'Choir', slug: 'choir' });
    await records.tag({ name: 'May Need a Call', slug: 'may-need-a-call', source: 'ai', privacy: 'private' });
    const body = person();
    const csv = (tags: string) =>
      `first name,last name,email,designation,tags\n${body.first_name},${body.last_name},${body.email_address},usher,${tags}\n`;
    expect(await importRecords(us.id, 'members.csv', csv('Choir | may-need-a-call'))).toMatchObject({ created: 1 });
    expect(await importRecords(us.id, 'members.csv', csv('CHOIR'))).toMatchObject({ unchanged: 1 });
    expect(await members(us.id)).toMatchObject([{ designation: 'Usher', tags: ['choir', 'may-need-a-call'] }]);
  });

  it('applies rows for one member in order if they identify it differently', async () => {
    const us = await service.organization();
    const body = person();
    await importRecords(us.id, 'members.ndjson', ndjson({ ...body, external_id: '1' }));
    const rows = ndjson(
      { external_id: '1', city: 'Troy' },
      { ...body, city: 'Rome' },
      { external_id: '1', city: 'Oslo' },
    );
    expect(await importRecords(us.id, 'members.ndjson', rows)).toMatchObject({ updated: 3 });
    expect(await members(us.id)).toMatchObject([{ city: 'Oslo' }]);
  });

  it('audits every record with the operator', async () => {
    const us = await service.organization();
    await importRecords(us.id, 'members.ndjson', ndjson({ ...person(), external_id: '1' }));
    await importRecords(us.id, 'members.ndjson', ndjson({ external_id: '1', city: 'Troy' }));
    const entries = await service.store.db.rows(sql`
      SELECT actor, channel, operation, result, record_id LIKE 'mem_%' AS member FROM audit_entry
      WHERE organization_id = ${us.id} AND operation LIKE '%Member' ORDER BY id`);
    const entry = { actor: 'test', channel: 'cli', result: 'ok', member: true };
    expect(entries).toEqual([
      { ...entry, operation: 'createMember' },
      { ...entry, operation: 'updateMember' },
    ]);
  });
});
