import { ENTITIES } from '../../domain/entities/registry.ts';
import type { ImportResource, ResourceName } from '../records/batch.ts';
import { kindOf } from '../records/entity-definition.ts';
import { defineRecords } from '../records/import-resource.ts';
import { importDepartmentMembers } from './department-members.ts';
import { importDepartments } from './departments.ts';
import { importFormResponses } from './form-responses.ts';
import { importForms } from './forms.ts';
import { importMembers } from './members.ts';
import { importTags } from './tags.ts';

/** The entities whose import has rules beyond their definitions. */
const WITH_RULES: readonly ImportResource[] = [
  importTags,
  importMembers,
  importDepartments,
  importForms,
  importFormResponses,
];

/** The records that can be imported and exported, each after those that it refers to. */
const RESOURCES: readonly ImportResource[] = Object.values(ENTITIES).flatMap(({ entity }) => {
  const resource = WITH_RULES.find(({ name }) => name === entity.plural) ?? defineRecords(kindOf<unknown>(entity));
  return resource === importDepartments ? [resource, importDepartmentMembers] : [resource];
});

/** The names of {@link RESOURCES}, in their order. */
export const RESOURCE_NAMES: readonly ResourceName[] = RESOURCES.map(({ name }) => name);

/** The import and export of a kind of records. */
export function resourceOf(name: ResourceName): ImportResource {
  const resource = RESOURCES.find((one) => one.name === name);
  if (!resource) throw new TypeError(`there is no resource ${name}`);
  return resource;
}
