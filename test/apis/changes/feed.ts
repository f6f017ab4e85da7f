import type { EntityName } from '../../../src/domain/entities/registry.ts';
import { raw, sql } from '../../../src/store/sql.ts';
import { changesAfter } from '../../support/changes.ts';
import { person } from '../../support/data.ts';
import { DERIVED_ENTITIES, type DerivedEntityName } from '../../support/derived-records.ts';
import { recordsOf } from '../../support/records.ts';
import type { TestService } from '../../support/service.ts';

/** A new organization with its records and its change feed from the start. */
export async function feedOf(service: TestService) {
  const organization = await service.organization();
  const records = recordsOf(service, organization.id);
  /** The changes since the last call, in order. */
  let cursor: string | undefined;
  const news = async () => {
    const next = await changesAfter(organization, cursor);
    cursor = next.cursor;
    return next.changes.map(({ resource, id, operation }) => `${operation} ${resource} ${id}`);
  };
  const member = async () => (await organization.post('/members', person())).json.data.id as string;
  const create: Record<EntityName, () => Promise<string | number>> = {
    ...(Object.fromEntries(DERIVED_ENTITIES.map(({ name }) => [name, () => records.required(name)])) as Record<
      DerivedEntityName,
      () => Promise<string>
    >),
    tags: async () => (await records.tag()).id,
    members: member,
    departments: async () => (await records.department()).id,
    forms: async () => (await records.form()).id,
    form_responses: async () => (await records.formResponse((await records.form()).id)).id,
  };
  const run = (statement: string) => service.store.db.write(sql`${raw(statement)}`);
  return { organization, records, news, member, create, run };
}
