import { designation } from '../designation.ts';
import { event } from '../event.ts';
import { prayerRequest } from '../prayer-request.ts';
import { service } from '../service.ts';
import type { BulkResource, ResourceName } from './batch.ts';
import { bulkDepartmentMembers } from './department-members.ts';
import { bulkDepartments } from './departments.ts';
import { kindOf } from './entity-kind.ts';
import { bulkFormResponses } from './form-responses.ts';
import { bulkForms } from './forms.ts';
import { bulkMembers } from './members.ts';
import { defineRecords } from './records.ts';
import { bulkTags } from './tags.ts';

/** The records that can be imported and exported, each after those that it refers to. */
const RESOURCES: readonly BulkResource[] = [
  defineRecords(kindOf(designation)),
  bulkTags,
  bulkMembers,
  bulkDepartments,
  bulkDepartmentMembers,
  bulkForms,
  bulkFormResponses,
  defineRecords(kindOf(event)),
  defineRecords(kindOf(service)),
  defineRecords(kindOf(prayerRequest)),
];

/** The names of {@link RESOURCES}, in their order. */
export const RESOURCE_NAMES: readonly ResourceName[] = RESOURCES.map(({ name }) => name);

/** The import and export of a kind of records. */
export function resourceOf(name: ResourceName): BulkResource {
  const resource = RESOURCES.find((one) => one.name === name);
  if (!resource) throw new TypeError(`there is no resource ${name}`);
  return resource;
}
