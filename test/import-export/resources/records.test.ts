import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { person } from '../../support/data.ts';
import { longestNormalized, SLOW_TO_NORMALIZE } from '../../support/normalized.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { exported, importText, ndjson, reasons } from '../imports.ts';

onOneDatabase((service) => {
  const importRecords = ({ id }: TestOrganization, resource: string, ...records: object[]) =>
    importText(service.store, id, `${resource}.ndjson`, ndjson(...records));

  it('matches tags, designations and departments without an external id by name', async () => {
    const us = await service.organization();
    for (const resource of ['tags', 'designations', 'departments']) {
      const records = [{ name: 'Small Group' }, { name: 'Älteste' }];
      expect(await importRecords(us, resource, ...records)).toMatchObject({ created: 2 });
      expect(await importRecords(us, resource, { name: 'SMALL group' }, { name: 'Älteste' })).toMatchObject({
        created: 0,
      });
      expect(await exported(service.store, us.id, resource as 'tags')).toHaveLength(2);
    }
    expect(await exported(service.store, us.id, 'tags')).toMatchObject([
      { name: 'SMALL group', slug: 'small-group', source: 'admin', privacy: 'public' },
      { name: 'Älteste', slug: 'alteste' },
    ]);
    expect((await us.get('/tags?q=lteste')).json.data).toMatchObject([{ slug: 'alteste' }]);
  });

  it('keeps the order of departments with the same name', async () => {
    const [us, resource] = [await service.organization(), 'departments'];
    const records = [
      { external_id: '1', name: 'Choir' },
      { external_id: '2', name: 'Choir' },
      { external_id: '3', name: 'Ushers' },
    ];
    expect(await importRecords(us, resource, ...records)).toMatchObject({ created: 3 });
    expect(await exported(service.store, us.id, resource as 'tags')).toMatchObject(records);
    expect(await importRecords(us, resource, ...records, { name: 'Choir' })).toMatchObject({ created: 0, rejected: 1 });
  });

  it('rejects a tag with the slug of another tag', async () => {
    const us = await service.organization();
    await importRecords(us, 'tags', { external_id: '1', name: 'Choir' }, { external_id: '2', name: 'Band' });
    const again = await importRecords(
      us,
      'tags',
      { external_id: '3', name: 'Choir' },
      { external_id: '2', slug: 'choir' },
    );
    expect(again).toMatchObject({ created: 0, updated: 0, rejected: 2 });
    expect(reasons(again)).toEqual([
      'slug: belongs to another tag, whose external_id is "1"',
      'slug: belongs to another tag',
    ]);
  });

  it('adds department members by external id or email address, without duplicates', async () => {
    const us = await service.organization();
    const [ada, ben] = [person({ external_id: '1', first_name: 'Ada' }), person({ first_name: 'Ben' })];
    await importRecords(us, 'members', ada, ben);
    await importRecords(us, 'departments', { external_id: 'm', name: 'Music', head: '1' });
    const pairs = [
      { department: 'music', member: ben.email_address },
      { department: 'm', member: '1' },
      { department: 'm', member: '1' },
      { department: 'Dance', member: 'nobody@example.org' },
      { department: 'm' },
    ];
    const result = await importRecords(us, 'department_members', ...pairs);
    expect(result).toMatchObject({ created: 2, unchanged: 1, rejected: 2 });
    expect(reasons(result)).toEqual([
      'department: unknown department: "Dance"; import it first; member: unknown member: "nobody@example.org"; import it first',
      'member: required',
    ]);
    const { data } = (await us.get('/departments')).json;
    expect(data).toMatchObject([{ name: 'Music', head_of_department: 'Ada Field', members_count: 2 }]);
    expect(await importRecords(us, 'departments', { external_id: 'm', head: 'nobody' })).toMatchObject({ rejected: 1 });
    expect(await importRecords(us, 'departments', { external_id: 'm', head: null })).toMatchObject({ updated: 1 });
  });

  it('imports events, services and prayer requests, and updates them by external id', async () => {
    const us = await service.organization();
    const event = { external_id: 'e', title: 'Picnic', maximum_participants: 10, dates: ['6/1/2026'] };
    const gathering = { external_id: 's', title: 'Worship', date: '2026-01-04', days: ['Sunday'] };
    const request = { external_id: 'p', description: 'Rain', status: 'answered', answered_at: '2026-02-03' };
    for (const [resource, record, change] of [
      ['events', event, { participants: 3 }],
      ['services', gathering, { location: 'Hall' }],
      ['prayer_requests', request, { sender_email: 'ADA@example.org' }],
    ] as const) {
      expect(await importRecords(us, resource, record)).toMatchObject({ created: 1 });
      expect(await importRecords(us, resource, record)).toMatchObject({ unchanged: 1 });
      expect(await importRecords(us, resource, { external_id: record.external_id, ...change })).toMatchObject({
        updated: 1,
      });
      const { external_id: _, ...unnamed } = record;
      expect(reasons(await importRecords(us, resource, unnamed))).toEqual(['external_id: required']);
    }
    expect((await us.get('/events')).json.data).toMatchObject([
      { title: 'Picnic', participants: 3, dates: [{ date: '2026-06-01', start_time: null, end_time: null }] },
    ]);
    expect((await us.get('/services')).json.data).toMatchObject([{ date: '2026-01-04', location: 'Hall' }]);
    const [stored] = await service.store.db.rows<{ id: string }>(sql`
      SELECT id FROM prayer_request WHERE organization_id = ${us.id}`);
    expect((await us.get(`/prayer-requests/${stored?.id}`)).json.data).toMatchObject({
      sender: 'Anonymous',
      sender_email: 'ada@example.org',
      status: 'answered',
      answered_at: '2026-02-03T00:00:00.000Z',
    });
    expect((await us.get('/prayer-requests?q=RAIN&status=answered')).json.data).toHaveLength(1);
  });

  it('does not resolve ids of another organization', async () => {
    const [us, other] = await Promise.all([service.organization(), service.organization()]);
    await importRecords(other, 'designations', { external_id: '1', name: 'Usher' });
    const [own] = (await other.get('/designations')).json.data;
    const member = person({ designation: own.id });
    expect(reasons(await importRecords(us, 'members', member))).toEqual([
      `designation: unknown designation: "${own.id}"; import it first`,
    ]);
    expect(await importRecords(us, 'designations', { external_id: own.id, name: 'Deacon' })).toMatchObject({
      created: 1,
    });
    expect((await other.get('/designations')).json.data).toEqual([own]);
  });

  it('rejects text that takes seconds to normalize before normalizing it, in every field', async () => {
    const us = await service.organization();
    const field = { external_id: 'why', question: 'Why?', field_type: 'paragraph' };
    await importRecords(us, 'forms', { external_id: 'survey', title: 'Survey', fields: [field] });
    const long = SLOW_TO_NORMALIZE;
    const texts = ['first_name', 'email_address', 'phone_number', 'designation', 'external_id'];
    const response = { external_id: 'r', form: 'survey' };
    const rejected: [resource: string, ...records: object[]][] = [
      ['members', ...texts.map((field) => person({ external_id: 'm', [field]: long })), person({ tags: [long] })],
      ['department_members', { department: long, member: long }],
      ['form_responses', { ...response, answers: { [long]: 'Because' } }, { ...response, answers: { why: long } }],
    ];
    const longest = await longestNormalized(async () => {
      for (const [resource, ...records] of rejected) {
        expect(await importRecords(us, resource, ...records)).toMatchObject({ created: 0, rejected: records.length });
      }
      await importRecords(us, 'tags', { external_id: 't', name: 'T', [long]: 1 });
    });
    expect(longest).toBeLessThan(256);
  });
});
