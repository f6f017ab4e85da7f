import { ENTITIES } from '../entities.ts';
import type { BulkResource, ResourceName } from './batch.ts';
import { bulkDepartmentMembers } from './department-members.ts';
import { bulkDepartments } from './departments.ts';
import { kindOf } from './entity-kind.ts';
import { bulkFormResponses } from './form-responses.ts';
import { bulkForms } from './forms.ts';
import { bulkMembers } from './members.ts';
import { defineRecords } from './records.ts';
import { bulkTags } from './tags.ts';

/** The entities whose import has rules beyond their definitions. */
const WITH_RULES: readonly BulkResource[] = [bulkTags, bulkMembers, bulkDepartments, bulkForms, bulkFormResponses];

/** The records that can be imported and exported, each after those that it refers to. */
const RESOURCES: readonly BulkResource[] = Object.values(ENTITIES).flatMap(({ entity }) => {
  const resource = WITH_RULES.find(({ name }) => name === entity.plural) ?? defineRecords(kindOf<unknown>(entity));
  return resource === bulkDepartments ? [resource, bulkDepartmentMembers] : [resource];
});

/** The names of {@link RESOURCES}, in their order. */
export const RESOURCE_NAMES: readonly ResourceName[] = RESOURCES.map(({ name }) => name);

/** The import and export of a kind of records. */
export function resourceOf(name: ResourceName): BulkResource {
  const resource = RESOURCES.find((one) => one.name === name);
  if (!resource) throw new TypeError(`there is no resource ${name}`);
  return resource;
}
