import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { importText, ndjson } from '../imports.ts';

onOneDatabase((service) => {
  const form = (name: string) => ({
    external_id: name,
    title: name,
    is_published: true,
    accepting_response: true,
    fields: [1, 2].map((n) => ({ external_id: `${n}`, question: `Question ${n}`, field_type: 'short_answer' })),
  });
  const importRecords = ({ id }: TestOrganization, ...names: string[]) =>
    importText(service.store, id, 'forms.ndjson', ndjson(...names.map(form)));
  const idsOf = async (organization: TestOrganization) =>
    ((await organization.get('/forms')).json.data as { id: number; fields: { id: number }[] }[]).map(
      ({ id, fields }) => [id, ...fields.map((field) => field.id)],
    );

  it('numbers forms and their fields per organization', async () => {
    const [one, other] = [await service.organization(), await service.organization()];
    await importRecords(one, 'a', 'b');
    await importRecords(other, 'c');
    await importRecords(one, 'd');
    expect(await idsOf(one)).toEqual([
      [1, 1, 2],
      [2, 3, 4],
      [3, 5, 6],
    ]);
    expect(await idsOf(other)).toEqual([[1, 1, 2]]);
  });

  it('continues after existing ids, and never reuses an id', async () => {
    const organization = await service.organization();
    const { db } = service.store;
    await db.rows(sql`
      INSERT INTO form (organization_id, id, title, search_text) VALUES (${organization.id}, 41::int, 'Old', 'old')`);
    await importRecords(organization, 'a', 'b');
    expect((await idsOf(organization)).map(([id]) => id)).toEqual([41, 42, 43]);
    await db.rows(sql`DELETE FROM form WHERE organization_id = ${organization.id} AND id = 43`);
    await importRecords(organization, 'c');
    expect((await idsOf(organization)).map(([id]) => id)).toEqual([41, 42, 44]);
  });
});
