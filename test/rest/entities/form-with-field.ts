import { recordsOf } from '../../support/records.ts';
import type { TestService } from '../../support/service.ts';

/** The properties of a form's field that a test sets. */
export type FieldOptions = Parameters<ReturnType<typeof recordsOf>['formField']>[1];

/** An organization with an open form that has one field. */
export async function withField(service: TestService, fields: FieldOptions = {}) {
  const organization = await service.organization();
  const records = recordsOf(service, organization.id);
  const form = await records.form({ isPublished: true, acceptingResponse: true });
  const { id } = await records.formField(form.id, fields);
  const path = `/forms/${form.id}/responses`;
  return { organization, records, form, id, path, submit: (answers: unknown) => organization.post(path, { answers }) };
}
