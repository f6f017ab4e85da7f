import { expect, it } from 'vitest';
import { expectError, expectInvalid, kindsOf, listIn, recordIn } from '../../support/contract.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

/** One value of every shape an answer can have, by form field id. */
const ANSWERS = {
  '1': 'a text',
  '2': 42.5,
  '3': ['Red', 'Blue'],
  '4': { first_name: 'Robin', email: 'robin@example.org' },
  '5': { amount: 12.5, currency: 'USD', status: 'paid' },
  '6': [{ name: 'a.pdf', url: 'https://files.example.org/a.pdf', size: 1024 }],
};

onOneStore((service) => {
  async function withResponse(organization: TestOrganization) {
    const records = recordsOf(service, organization.id);
    const form = await records.form();
    const response = await records.formResponse(form.id, ANSWERS);
    return { records, form, response, path: `/forms/${form.id}/responses` };
  }

  it('returns a form response with its answers unchanged', async () => {
    const organization = await service.organization();
    const { form, response, path } = await withResponse(organization);
    const shown = recordIn(await organization.get(`${path}/${response.id}`));
    expect(shown).toEqual({
      id: response.id,
      form_id: form.id,
      submitted_at: response.submittedAt.toISOString(),
      answers: ANSWERS,
    });
    expect(kindsOf(shown)).toEqual({
      id: 'string',
      form_id: 'integer',
      submitted_at: 'date-time',
      answers: 'object',
    });
  });

  it('lists the responses of one form, oldest first, equal to the single ones', async () => {
    const organization = await service.organization();
    const { records, form, response, path } = await withResponse(organization);
    const other = await records.form();
    const second = await records.formResponse(form.id);
    await records.formResponse(other.id);
    const each = await Promise.all([response, second].map(({ id }) => organization.get(`${path}/${id}`)));
    expect(listIn(await organization.get(path))).toEqual(each.map((answer) => recordIn(answer)));
  });

  it('returns an empty list for a form without responses', async () => {
    const organization = await service.organization();
    const { id } = await recordsOf(service, organization.id).form();
    const { status, json } = await organization.get(`/forms/${id}/responses`);
    expect(status).toBe(200);
    expect(json).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });

  it('rejects q, as responses cannot be searched', async () => {
    const organization = await service.organization();
    const { path } = await withResponse(organization);
    expectInvalid(await organization.get(`${path}?q=nothing-like-it`), 'q');
  });

  it('does not find a response under another form of the organization', async () => {
    const organization = await service.organization();
    const { records, response } = await withResponse(organization);
    const other = await records.form();
    const answer = await organization.get(`/forms/${other.id}/responses/${response.id}`);
    expectError(answer, 404, 'not_found', 'Form response not found');
  });

  it('does not find a response under an unknown form', async () => {
    const organization = await service.organization();
    const { response } = await withResponse(organization);
    const answer = await organization.get(`/forms/2147483647/responses/${response.id}`);
    expectError(answer, 404, 'not_found', 'Form response not found');
  });

  it('does not find the responses of an unknown form', async () => {
    const organization = await service.organization();
    expectError(await organization.get('/forms/2147483647/responses'), 404, 'not_found', 'Form not found');
  });

  it.each(['1.5', '1e3', '-1', '0', '01', '+1', '2147483648', '99999999999', 'abc', '0x1', '%31%2E0', 'form_1'])(
    'does not find a form by %s',
    async (id) => {
      const organization = await service.organization();
      const { response } = await withResponse(organization);
      expectError(await organization.get(`/forms/${id}/responses`), 404, 'not_found', 'Form not found');
      const one = await organization.get(`/forms/${id}/responses/${response.id}`);
      expectError(one, 404, 'not_found', 'Form response not found');
    },
  );

  it('does not find a form by its number with a fraction', async () => {
    const organization = await service.organization();
    const { form, response } = await withResponse(organization);
    for (const id of [`${form.id}.5`, `${form.id}.0`, `${form.id}e0`, `0${form.id}`, `%20${form.id}`]) {
      expect((await organization.get(`/forms/${id}/responses/${response.id}`)).status).toBe(404);
    }
  });

  it('rejects a limit of 0 and an invalid cursor', async () => {
    const organization = await service.organization();
    const { path } = await withResponse(organization);
    expectInvalid(await organization.get(`${path}?limit=0`), 'limit');
    expectError(await organization.get(`${path}?cursor=nonsense`), 400, 'invalid_cursor');
  });

  it("rejects the cursor of another form's responses", async () => {
    const organization = await service.organization();
    const { records, form, path } = await withResponse(organization);
    await records.formResponse(form.id);
    const other = await withResponse(organization);
    const { next_cursor } = (await organization.get(`${path}?limit=1`)).json.pagination;
    expect(listIn(await organization.get(`${path}?cursor=${next_cursor}`))).toHaveLength(1);
    expectError(await organization.get(`${other.path}?cursor=${next_cursor}`), 400, 'invalid_cursor');
  });
});
