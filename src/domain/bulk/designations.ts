import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { isId, newId } from '../ids.ts';
import { searchTextOf } from '../search.ts';
import { requiredText } from '../text.ts';
import type { Batch } from './batch.ts';
import { exportedId, type Identity } from './external-id.ts';
import { externalId, moment, parserOf } from './input.ts';
import { defineRecords } from './records.ts';

/** A designation is found by its name too, in any letter case. */
export const designationIdentity: Identity = {
  name: 'designations',
  table: 'designation',
  ownId: (_, name) => (isId('dsg', name) ? name : undefined),
  key: { of: (name) => searchTextOf(name), find: findByName },
};

function findByName({ rows, organization }: Batch, keys: readonly string[]) {
  return rows<{ key: string; id: string }>(sql`
    SELECT search_text AS key, id FROM designation
    WHERE organization_id = ${organization.id} AND search_text = ANY(${[...keys]}::text[])`);
}

/** Designations in bulk. */
export const bulkDesignations = defineRecords({
  name: 'designations',
  record: 'Designation',
  identity: designationIdentity,
  fields: { external_id: 'text', name: 'text', created_at: 'timestamp' },
  parse: parserOf(
    z.strictObject({ external_id: externalId.optional(), name: requiredText(), created_at: moment.nullish() }),
  ),
  keyOf: ({ name }) => (typeof name === 'string' ? searchTextOf(name) : undefined),
  keyField: 'name',
  columns: { name: 'text' },
  derived: { search_text: 'text' },
  derive: ({ name }) => ({ search_text: searchTextOf(String(name)) }),
  times: ['created_at'],
  newIds: (_, count) => Array.from({ length: count }, () => newId('dsg')),
  exported: (organizationId) => sql`
    SELECT ${exportedId('designations', organizationId, sql`d.id`)} AS external_id, d.name, d.created_at
    FROM designation d WHERE d.organization_id = ${organizationId} ORDER BY d.position`,
});
