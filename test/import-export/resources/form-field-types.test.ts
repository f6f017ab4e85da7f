import { expect, it } from 'vitest';
import { expectInvalid } from '../../support/contract.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { importText, ndjson } from '../imports.ts';

onOneStore((service) => {
  /** Imports an open form with one field. */
  async function importField(organization: TestOrganization, field: object) {
    const form = { external_id: '1', title: 'Visit', is_published: true, accepting_response: true };
    const row = ndjson({ ...form, fields: [{ question: 'Who are you?', ...field }] });
    return importText(service.store, organization.id, 'forms.ndjson', row);
  }

  it.each([[{ first_name: true, email: null }], [{}]])(
    'shows an imported contact field that collects %j with booleans in both APIs',
    async (collects) => {
      const organization = await service.organization();
      await importField(organization, { field_type: 'contact', collects });
      const { json } = await graphql(
        service.app,
        organization.key,
      )('{ forms { nodes { fields { collects { firstName lastName email phone } } } } }');
      expect(json.errors).toBeUndefined();
      const [form] = (await organization.get('/forms')).json.data;
      const parts = form.fields[0].collects;
      expect(Object.values(parts).map((part) => typeof part)).toEqual(Array(4).fill('boolean'));
    },
  );

  it('does not accept a part that the imported field does not name', async () => {
    const organization = await service.organization();
    await importField(organization, { field_type: 'contact', collects: { first_name: true } });
    const [form] = (await organization.get('/forms')).json.data;
    const answers = { [form.fields[0].id]: { phone: '+12025550123' } };
    const answer = await organization.post(`/forms/${form.id}/responses`, { answers });
    expectInvalid(answer, `answers.${form.fields[0].id}.phone`);
  });

  it.each([
    ['options', { field_type: 'short_answer', options: ['Yes', 'No'] }],
    ['collects', { field_type: 'number', collects: { first_name: true, last_name: true, email: true, phone: true } }],
  ])('rejects %s of a field of another type', async (name, field) => {
    const organization = await service.organization();
    const { created, rejectLines } = await importField(organization, field);
    expect(created).toBe(0);
    expect(JSON.stringify(rejectLines)).toContain(`fields.0.${name}`);
  });
});
