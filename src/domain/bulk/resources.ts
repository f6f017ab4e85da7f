import type { BulkResource, ResourceName } from './batch.ts';
import { bulkDesignations } from './designations.ts';
import { bulkMembers } from './members.ts';
import { bulkTags } from './tags.ts';

const ALL: readonly BulkResource[] = [bulkDesignations, bulkTags, bulkMembers];

/** The bulk operations of a kind of records. */
export function resourceOf(name: ResourceName): BulkResource {
  return ALL.find((resource) => resource.name === name) as BulkResource;
}
