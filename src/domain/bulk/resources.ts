import type { BulkResource, ResourceName } from './batch.ts';
import { bulkDepartmentMembers } from './department-members.ts';
import { bulkDepartments } from './departments.ts';
import { bulkDesignations } from './designations.ts';
import { bulkEvents } from './events.ts';
import { bulkFormResponses } from './form-responses.ts';
import { bulkForms } from './forms.ts';
import { bulkMembers } from './members.ts';
import { bulkPrayerRequests } from './prayer-requests.ts';
import { bulkServices } from './services.ts';
import { bulkTags } from './tags.ts';

const RESOURCES: Readonly<Record<ResourceName, BulkResource>> = {
  designations: bulkDesignations,
  tags: bulkTags,
  members: bulkMembers,
  departments: bulkDepartments,
  department_members: bulkDepartmentMembers,
  forms: bulkForms,
  form_responses: bulkFormResponses,
  events: bulkEvents,
  services: bulkServices,
  prayer_requests: bulkPrayerRequests,
};

/** The bulk operations of a kind of records. */
export function resourceOf(name: ResourceName): BulkResource {
  return RESOURCES[name];
}
