import { basename } from 'node:path';
import { ENTITIES } from '../../domain/entities/registry.ts';
import { importResourceFor } from '../records/entity-resource.ts';
import type { ImportResource } from '../records/resource.ts';
import { importDepartmentMembers, importDepartments } from './departments.ts';
import { importFormResponses } from './form-responses.ts';
import { importForms } from './forms.ts';
import { importMembers } from './members.ts';
import { importTags } from './tags.ts';

/** Resources whose import has rules that cannot be derived from the entity's definition. */
const CUSTOM_RESOURCES: readonly ImportResource[] = [
  importTags,
  importMembers,
  importDepartments,
  importForms,
  importFormResponses,
];

/** All resources, each after those that it references. */
export const RESOURCES: readonly ImportResource[] = Object.values(ENTITIES).flatMap(({ entity }) => {
  const resource = CUSTOM_RESOURCES.find(({ name }) => name === entity.plural) ?? importResourceFor<unknown>(entity);
  return resource === importDepartments ? [resource, importDepartmentMembers] : [resource];
});

/** The names of all resources, each after those that it references. */
export const RESOURCE_NAMES: readonly string[] = RESOURCES.map(({ name }) => name);

/** The import and export of a resource. */
export function resourceOf(name: string): ImportResource {
  const resource = RESOURCES.find((candidate) => candidate.name === name);
  if (!resource) throw new TypeError(`unknown resource ${name}`);
  return resource;
}

/** The resource that a file is named after, as in `members.csv` or `members-2026.ndjson`. */
export function resourceFromFileName(path: string): string | undefined {
  const name = basename(path).toLowerCase().replaceAll('-', '_');
  return RESOURCE_NAMES.find((resource) => new RegExp(`^${resource}([^a-z]|$)`).test(name));
}
