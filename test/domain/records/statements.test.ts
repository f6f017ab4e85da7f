import { expect, it } from 'vitest';
import { appOn, UNCOUNTED } from '../../support/apps.ts';
import { person, times } from '../../support/data.ts';
import { type Records, recordsOf } from '../../support/records.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { statementsDuring } from '../../support/stores/statements.ts';

type Make = (records: Records, organization: TestOrganization, n: number) => Promise<unknown>;

/** How each list gets one more row, with every field set. */
const LISTS: Record<string, Make> = {
  '/members': async (records, organization) => {
    const { id } = await records.designation();
    await organization.post('/members', person({ designation_id: id }));
  },
  '/forms': async (records) => {
    const { id } = await records.form();
    for (const ordinal of times(3, (n) => n)) await records.formField(id, { ordinal });
  },
  '/events': (records) => records.event({ dates: [{ date: '2026-01-01', start_time: null, end_time: null }] }),
  '/services': (records) => records.service({ days: ['Monday'] }),
  '/departments': async (records, organization) => {
    const { id } = (await organization.post('/members', person())).json.data;
    await records.department({ headId: id }, [id]);
  },
  '/tags': (records) => records.tag(),
  '/prayer-requests': (_, organization) => organization.post('/prayer-requests', { description: 'Peace' }),
  '/designations': (records) => records.designation(),
};

onOneDatabase((service) => {
  /** An organization for which the writes of key usage are not counted as statements. */
  function organization() {
    return service.organization({ app: appOn(service, { keyUsage: UNCOUNTED }) });
  }

  const costOf = async (request: () => Promise<{ status: number }>, status = 200) => {
    let answered = 0;
    const statements = await statementsDuring(async () => {
      answered = (await request()).status;
    });
    expect(answered).toBe(status);
    return statements.length;
  };

  it.each(Object.entries(LISTS))(
    'reads %s in two statements, with 1 row and with 20, a cursor or a search',
    async (path, make) => {
      const own = await organization();
      const records = recordsOf(service, own.id);
      await make(records, own, 0);
      const one = await costOf(() => own.get(`${path}?limit=20`));
      for (const n of times(19, (n) => n + 1)) await make(records, own, n);
      expect((await own.get(`${path}?limit=20`)).json.data).toHaveLength(20);
      expect([one, await costOf(() => own.get(`${path}?limit=20`))]).toEqual([2, 2]);
      const { next_cursor } = (await own.get(`${path}?limit=1`)).json.pagination;
      expect(await costOf(() => own.get(`${path}?cursor=${next_cursor}`))).toBe(2);
      expect(await costOf(() => own.get(`${path}?q=e`))).toBe(2);
    },
  );

  it('reads the responses of a form in two statements, with 1 and with 20', async () => {
    const own = await organization();
    const records = recordsOf(service, own.id);
    const { id } = await records.form();
    const read = () => own.get(`/forms/${id}/responses?limit=20`);
    await records.formResponse(id, { 1: 'a' });
    const one = await costOf(read);
    for (const n of times(19, (n) => n)) await records.formResponse(id, { 1: n });
    expect([one, await costOf(read)]).toEqual([2, 2]);
  });

  it('reads a single record in two statements', async () => {
    const own = await organization();
    const { id } = (await own.post('/members', person())).json.data;
    const prayer = (await own.post('/prayer-requests', { description: 'Rain' })).json.data;
    const records = recordsOf(service, own.id);
    const form = await records.form();
    const response = await records.formResponse(form.id);
    const paths = [
      `/members/${id}`,
      `/prayer-requests/${prayer.id}`,
      `/forms/${form.id}`,
      `/forms/${form.id}/responses/${response.id}`,
      `/events/${(await records.event()).id}`,
      `/services/${(await records.service()).id}`,
      `/departments/${(await records.department({}, [id])).id}`,
      `/tags/${(await records.tag()).id}`,
      `/designations/${(await records.designation()).id}`,
    ];
    for (const path of paths) expect(await costOf(() => own.get(path))).toBe(2);
  });

  it('creates a record in two statements', async () => {
    const own = await organization();
    const designation = await recordsOf(service, own.id).designation();
    const body = person({ designation_id: designation.id, phone_number: '+16502530000' });
    expect(await costOf(() => own.post('/members', body), 201)).toBe(2);
    const other = await organization();
    expect(await costOf(() => other.post('/members', { ...body, designation_id: null }), 201)).toBe(2);
    expect(await costOf(() => own.post('/prayer-requests', { description: 'Rain' }), 201)).toBe(2);
  });

  it('changes 100 tags in as many statements as 1', async () => {
    const own = await organization();
    const { id } = (await own.post('/members', person())).json.data;
    const tags = await Promise.all(times(100, () => recordsOf(service, own.id).tag()));
    const ids = tags.map((tag) => tag.id);
    const one = await costOf(() => own.patch(`/members/${id}/tags`, { add: ids.slice(0, 1) }));
    expect(await costOf(() => own.patch(`/members/${id}/tags`, { add: ids }))).toBe(one);
    expect(await costOf(() => own.patch(`/members/${id}/tags`, { remove: ids }))).toBe(one);
  });
});
