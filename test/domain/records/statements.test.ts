import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { LIST_NAMES, type List, listOf } from '../../apis/lists/lists.ts';
import { appOn, UNCOUNTED } from '../../support/apps.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneDatabase } from '../../support/service.ts';
import { statementsDuring } from '../../support/stores/statements.ts';

onOneDatabase((service) => {
  /** Its writes of key usage are not counted as statements. */
  let uncounted: App;
  beforeAll(() => {
    uncounted = appOn(service, { keyUsage: UNCOUNTED });
  });
  const organization = () => service.organization({ app: uncounted });

  const costOf = async (request: () => Promise<{ status: number }>, status = 200) => {
    let answered = 0;
    const statements = await statementsDuring(async () => {
      answered = (await request()).status;
    });
    expect(answered).toBe(status);
    return statements.length;
  };

  it.each(LIST_NAMES)('reads %s in two statements, with 1 row and with 20, a cursor or a search', async (name) => {
    const [one, many] = [await listOf(service, name, 1), await listOf(service, name, 20)];
    expect((await many.rest({})).ids).toHaveLength(20);
    const { next } = await many.rest({ limit: 1 });
    const read = ({ organization, path }: List, query = '') => organization.through(uncounted).get(`${path}${query}`);
    expect([await costOf(() => read(one)), await costOf(() => read(many))]).toEqual([2, 2]);
    expect(await costOf(() => read(many, `?cursor=${next}`))).toBe(2);
    if (name !== 'responses') expect(await costOf(() => read(many, '?q=e'))).toBe(2);
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

  it('writes no tags, only the audit entry, if a change has none', async () => {
    const own = await organization();
    const { id } = (await own.post('/members', person())).json.data;
    const tag = await recordsOf(service, own.id).tag();
    const one = await costOf(() => own.patch(`/members/${id}/tags`, { add: [tag.id] }));
    expect(await costOf(() => own.patch(`/members/${id}/tags`, { add: [], remove: [] }))).toBe(one - 1);
  });
});
