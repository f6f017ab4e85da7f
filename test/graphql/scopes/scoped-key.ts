import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { person } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';
import { countingApp } from '../counting.ts';

export const allBut = (...without: Scope[]) => ALL_SCOPES.filter((scope) => !without.includes(scope));

/** Creates a key with these scopes, in an organization with one record of each type, and counts its statements. */
export async function keyWithScopes(service: TestService, ...scopes: Scope[]) {
  const { app, during } = countingApp(service);
  const full = await service.organization({ app });
  const { key } = await full.withScopes(...scopes);
  const ask = graphql(app, key);
  return { full, during, ask, records: await fill(service, full) };
}

async function fill(service: TestService, organization: TestOrganization) {
  const records = recordsOf(service, organization.id);
  const member = (await organization.post('/members', person({ first_name: 'Ada' }))).json.data;
  await records.department({ headId: member.id }, [member.id]);
  const form = await records.form();
  const field = await records.formField(form.id);
  const response = await records.formResponse(form.id, { [field.id]: 'Because.' });
  return { member, tag: await records.tag(), form, response };
}
