import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { person, times } from '../support/data.ts';
import { exported, importText, ndjson } from '../support/imports.ts';
import { recordsOf } from '../support/records.ts';
import { onEachStore } from '../support/service.ts';

onEachStore((service) => {
  const bringIn = (organizationId: string, name: string, content: string | Buffer, settings = {}) =>
    importText(service.store, organizationId, name, content, settings);
  const members = (organizationId: string) => exported(service.store, organizationId, 'members');

  it('makes members of a spreadsheet, its columns, dates and phones as people write them', async () => {
    const gb = await service.organization({ country: 'GB' });
    const [one, two] = [randomUUID(), randomUUID()];
    const csv = [
      '\ufeffMember ID;First Name;Surname;E-Mail;Mobile;Sex;Birthday;Post code;Visitor;Shoe size',
      `17;Ada;"O""Neil; the younger";ADA.${one}@Example.org;020 7946 0018;f;3/4/1990;SE15 4QN;yes;39`,
      `18;"Ben\nJohn";Hill;ben.${two}@example.org;;;;;;`,
    ].join('\r\n');
    const result = await bringIn(gb.id, 'members.csv', `${csv}\r\n`);
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

  it('changes nothing when the same file comes again, and only what differs when another does', async () => {
    const us = await service.organization();
    const people = times(3, (n) => ({ external_id: `crm-${n}`, ...person({ phone_number: '650-253-0000' }) }));
    expect(await bringIn(us.id, 'members.ndjson', ndjson(...people))).toMatchObject({ created: 3 });
    const before = await members(us.id);
    expect(await bringIn(us.id, 'members.ndjson', ndjson(...people))).toMatchObject({ created: 0, unchanged: 3 });
    expect(await members(us.id)).toEqual(before);
    const later = [
      { external_id: 'crm-1', city: 'Troy', phone_number: null },
      { ...people[2], gender: 'f' },
    ];
    expect(await bringIn(us.id, 'members.ndjson', ndjson(...later))).toMatchObject({ updated: 2, unchanged: 0 });
    const after = await members(us.id);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).toEqual({ ...before[1], city: 'Troy', phone_number: null, updated_at: expect.any(String) });
    expect(after[2]).toEqual({ ...before[2], gender: 'Female', updated_at: expect.any(String) });
    expect(after.map(({ external_id }) => external_id)).toEqual(['crm-0', 'crm-1', 'crm-2']);
  });

  it('takes an empty cell for nothing said', async () => {
    const us = await service.organization();
    const { email_address } = person();
    await bringIn(us.id, 'members.csv', `id,first name,last name,email,city\n1,Ada,Hill,${email_address},Troy\n`);
    const again = await bringIn(us.id, 'members.csv', `id,first name,city\n1,Eve,\n`);
    expect(again).toMatchObject({ updated: 1, rejected: 0 });
    expect(await members(us.id)).toMatchObject([{ first_name: 'Eve', city: 'Troy' }]);
  });

  it('rejects each bad row with its line and every reason, and stores the others', async () => {
    const us = await service.organization();
    const [one, two] = [randomUUID(), randomUUID()];
    const header = 'external_id,first_name,last_name,email_address,phone_number,gender,date_of_birth,tags';
    const csv = [
      header,
      `1,Ada,Hill,ada.${one}@example.org,,,,`,
      '2,,Hill,nobody,abc,male,31/12/2020,',
      `3,Ben,Hill,ada.${one}@example.org,,,,`,
      `4,Cleo,Hill,cleo.${two}@example.org,,,,Unheard Of`,
      '5,Dan,Hill',
      `6,Eve,Hill,eve.${two}@example.org,,,,,surplus`,
      `7,Finn,Hill,finn.${two}@example.org,,Robot,,`,
    ].join('\n');
    const result = await bringIn(us.id, 'members.csv', csv);
    expect(result).toMatchObject({ rows: 7, created: 1, rejected: 6 });
    const rejected = (cells: string, line: number, fields: string, code: string, message: string) =>
      `${cells},members.csv,${line},${fields},${code},"${message.replaceAll('"', '""')}"`;
    const ragged = (cells: number) =>
      `row: the row has ${cells} cells, the header 8: is a delimiter or a quote missing?`;
    expect(result.rejectLines).toEqual([
      `${header},_file,_line,_field,_code,_message`,
      rejected(
        '2,,Hill,nobody,abc,male,31/12/2020,',
        3,
        'date_of_birth; first_name; email_address; phone_number',
        'invalid_request',
        [
          'date_of_birth: "31/12/2020" is no day of the calendar; must be YYYY-MM-DD or MM/DD/YYYY (--date-format says otherwise)',
          'first_name: required',
          'email_address: must be an email address',
          'phone_number: must be a phone number, best with a leading plus and country code',
        ].join('; '),
      ),
      rejected(
        `3,Ben,Hill,ada.${one}@example.org,,,,`,
        4,
        'email_address',
        'member_exists',
        'email_address: is that of another member, whose external_id is "1"',
      ),
      rejected(
        `4,Cleo,Hill,cleo.${two}@example.org,,,,Unheard Of`,
        5,
        'tags',
        'invalid_request',
        'tags: unknown tag: "Unheard Of"; import it first',
      ),
      `5,Dan,Hill,,,,,,members.csv,6,row,invalid_request,${ragged(3).replace(/.*,.*/, '"$&"')}`,
      `6,Eve,Hill,eve.${two}@example.org,,,,,members.csv,7,row,invalid_request,"${ragged(9)} (surplus)"`,
      rejected(
        `7,Finn,Hill,finn.${two}@example.org,,Robot,,`,
        8,
        'gender',
        'invalid_request',
        'gender: must be one of Male, Female, Others',
      ),
    ]);
  });

  it('reads its own rejects file, once it is corrected', async () => {
    const us = await service.organization();
    const { email_address } = person();
    const csv = `external_id,first_name,last_name,email_address\n1,Ada,Hill,${email_address.replace('@', ' ')}\n`;
    const { rejectLines } = await bringIn(us.id, 'members.csv', csv);
    const corrected = rejectLines.join('\n').replaceAll(email_address.replace('@', ' '), email_address);
    const result = await bringIn(us.id, 'members.rejects.csv', `${corrected}\n`);
    expect(result).toMatchObject({ created: 1, rejected: 0 });
    expect(Object.keys(result.columns)).toEqual(['external_id', 'first_name', 'last_name', 'email_address']);

    const json = await bringIn(us.id, 'members.ndjson', '{"external_id":"2","first_name":"Ben"}\n{"broken\n');
    expect(json.rejectLines.map((line) => JSON.parse(line))).toEqual([
      {
        external_id: '2',
        first_name: 'Ben',
        _rejected: {
          file: 'members.ndjson',
          line: 1,
          code: 'invalid_request',
          message: 'last_name: required; email_address: required',
          details: [
            { field: 'last_name', message: 'required' },
            { field: 'email_address', message: 'required' },
          ],
        },
      },
      { _rejected: expect.objectContaining({ line: 2, row: '{"broken' }) },
    ]);
    const fixed = { ...JSON.parse(json.rejectLines[0] as string), ...person() };
    expect(await bringIn(us.id, 'members.rejects.ndjson', ndjson(fixed))).toMatchObject({ created: 1, rejected: 0 });
  });

  it('lets a person known elsewhere join, shows nothing of there, and keeps to three organizations', async () => {
    const [a, b, c, d] = await Promise.all(times(4, () => service.organization()));
    const known = { ...person({ first_name: 'Ada', city: 'Troy' }), external_id: 'x' };
    for (const organization of [a, b, c]) {
      const said = { ...known, first_name: `Ada of ${organization?.id}` };
      expect(await bringIn(organization?.id as string, 'members.ndjson', ndjson(said))).toMatchObject({ created: 1 });
    }
    const fourth = await bringIn(d?.id as string, 'members.ndjson', ndjson(known));
    expect(fourth).toMatchObject({ created: 0, rejected: 1 });
    expect(JSON.parse(fourth.rejectLines[0] as string)._rejected).toMatchObject({ code: 'org_limit_reached' });
    expect((await members(b?.id as string))[0]).toMatchObject({ first_name: `Ada of ${b?.id}` });
    const persons = await service.store.db.rows(sql`
      SELECT DISTINCT id FROM member WHERE email_address = ${known.email_address}`);
    expect(persons).toHaveLength(1);
  });

  it('finds a member who has no external id by the address, and gives the id of the file', async () => {
    const us = await service.organization();
    const body = person();
    const { id } = (await us.post('/members', body)).json.data;
    const said = { ...body, external_id: 'crm-7', city: 'Troy' };
    expect(await bringIn(us.id, 'members.ndjson', ndjson(said))).toMatchObject({ created: 0, updated: 1 });
    expect((await us.get(`/members/${id}`)).json.data).toMatchObject({ city: 'Troy' });
    expect(await bringIn(us.id, 'members.ndjson', ndjson({ external_id: id, city: 'Rome' }))).toMatchObject({
      updated: 1,
    });
    expect(await members(us.id)).toMatchObject([{ external_id: 'crm-7', city: 'Rome' }]);
  });

  it('moves a member to another address, unless it is that of somebody else', async () => {
    const [us, other] = await Promise.all([service.organization(), service.organization()]);
    const [ada, ben] = [person(), person()];
    await bringIn(us.id, 'members.ndjson', ndjson({ ...ada, external_id: '1' }));
    await bringIn(other.id, 'members.ndjson', ndjson(ben));
    const moved = await bringIn(
      us.id,
      'members.ndjson',
      ndjson({ external_id: '1', email_address: person().email_address }),
    );
    expect(moved).toMatchObject({ updated: 1 });
    const held = await bringIn(us.id, 'members.ndjson', ndjson({ external_id: '1', email_address: ben.email_address }));
    expect(JSON.parse(held.rejectLines[0] as string)._rejected).toMatchObject({ code: 'email_in_use' });
    const addresses = await service.store.db.rows(sql`
      SELECT 1 FROM email_address WHERE address = ${ada.email_address}`);
    expect(addresses).toEqual([]);
  });

  it('gives members their designation and tags by name, and takes no tag away', async () => {
    const us = await service.organization();
    const records = recordsOf(service, us.id);
    await records.designation({ name: 'Usher' });
    await records.tag({ name: 'Choir', slug: 'choir' });
    await records.tag({ name: 'May Need a Call', slug: 'may-need-a-call', source: 'ai', privacy: 'private' });
    const body = person();
    const csv = (tags: string) =>
      `first name,last name,email,designation,tags\n${body.first_name},${body.last_name},${body.email_address},usher,${tags}\n`;
    expect(await bringIn(us.id, 'members.csv', csv('Choir | may-need-a-call'))).toMatchObject({ created: 1 });
    expect(await bringIn(us.id, 'members.csv', csv('CHOIR'))).toMatchObject({ unchanged: 1 });
    expect(await members(us.id)).toMatchObject([{ designation: 'Usher', tags: ['choir', 'may-need-a-call'] }]);
  });

  it('stores a row that comes twice in one file once, the later one last', async () => {
    const us = await service.organization();
    const body = { ...person(), external_id: '1' };
    const twice = ndjson(body, { ...body, city: 'Troy' }, { ...body, city: 'Rome' });
    expect(await bringIn(us.id, 'members.ndjson', twice)).toMatchObject({ created: 1, updated: 2 });
    expect(await members(us.id)).toMatchObject([{ city: 'Rome' }]);
  });

  it('writes no record in a trial, and rejects the same rows', async () => {
    const us = await service.organization();
    const body = person();
    const rows = ndjson(
      { ...body, external_id: '1' },
      { ...body, external_id: '2' },
      { external_id: '1', city: 'Troy' },
      { external_id: '3', first_name: 'Eve' },
    );
    const counted = async () =>
      service.store.db.rows(sql`
        SELECT (SELECT count(*)::int FROM member WHERE organization_id = ${us.id}) AS members,
          (SELECT count(*)::int FROM external_id WHERE organization_id = ${us.id}) AS ids,
          (SELECT count(*)::int FROM import_progress WHERE organization_id = ${us.id}) AS imports,
          (SELECT count(*)::int FROM audit_entry WHERE organization_id = ${us.id} AND operation LIKE '%Member') AS audit,
          (SELECT count(*)::int FROM email_address WHERE address = ${body.email_address}) AS addresses`);
    const trial = await bringIn(us.id, 'members.ndjson', rows, { dryRun: true });
    expect(await counted()).toEqual([{ members: 0, ids: 0, imports: 0, audit: 0, addresses: 0 }]);
    const real = await bringIn(us.id, 'members.ndjson', rows);
    expect(trial).toMatchObject({ created: 1, updated: 1, rejected: 2 });
    expect(real).toMatchObject({ created: 1, updated: 1, rejected: 2 });
    expect(trial.rejectLines).toEqual(real.rejectLines);
    expect(await counted()).toEqual([{ members: 1, ids: 1, imports: 0, audit: 2, addresses: 1 }]);
  });

  it('notes every record in the audit, with who did it', async () => {
    const us = await service.organization();
    await bringIn(us.id, 'members.ndjson', ndjson({ ...person(), external_id: '1' }));
    await bringIn(us.id, 'members.ndjson', ndjson({ external_id: '1', city: 'Troy' }));
    const entries = await service.store.db.rows(sql`
      SELECT actor, door, operation, result, record_id LIKE 'mem_%' AS member FROM audit_entry
      WHERE organization_id = ${us.id} AND operation LIKE '%Member' ORDER BY id`);
    const entry = { actor: 'test', door: 'cli', result: 'ok', member: true };
    expect(entries).toEqual([
      { ...entry, operation: 'createMember' },
      { ...entry, operation: 'updateMember' },
    ]);
  });

  it('keeps one person an address when two imports bring in the same people at once', async () => {
    const [a, b] = await Promise.all([service.organization(), service.organization()]);
    const people = times(40, (n) => ({ ...person(), external_id: String(n) }));
    const [one, two] = await Promise.all([
      bringIn(a.id, 'members.ndjson', ndjson(...people)),
      bringIn(b.id, 'members.ndjson', ndjson(...people.toReversed())),
    ]);
    expect([one.created, two.created]).toEqual([40, 40]);
    const [row] = await service.store.db.rows(sql`
      SELECT count(DISTINCT id)::int AS persons FROM member
      WHERE email_address = ANY(${people.map(({ email_address }) => email_address)}::text[])`);
    expect(row).toEqual({ persons: 40 });
  });

  it('keeps the others of a batch when the database refuses a row that the rules let pass', async () => {
    const us = await service.organization();
    const good = times(5, (n) => ({ ...person(), external_id: String(n) }));
    const bad = { ...person(), external_id: 'bad', created_at: '9999-12-31T23:59:59Z', date_of_birth: '9999-12-31' };
    await service.store.pool.query(
      `ALTER TABLE member ADD CONSTRAINT no_future CHECK (organization_id <> '${us.id}' OR date_of_birth < '3000-01-01')`,
    );
    try {
      const rows = ndjson(...good.slice(0, 2), bad, ...good.slice(2));
      const result = await bringIn(us.id, 'members.ndjson', rows);
      expect(result).toMatchObject({ rows: 6, created: 5, rejected: 1 });
      expect(JSON.parse(result.rejectLines[0] as string)._rejected).toMatchObject({
        line: 3,
        message: expect.stringContaining('is refused by the database'),
      });
    } finally {
      await service.store.pool.query('ALTER TABLE member DROP CONSTRAINT no_future');
    }
  });
});
