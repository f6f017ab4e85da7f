import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { requiredText } from '../text.ts';
import { byName, exportedId, type Identity, ownIdsWith } from './external-id.ts';
import { externalId, moment, parserOf } from './input.ts';
import { keyedByName, newIdsWith, searchedBy } from './record-kind.ts';
import { defineRecords } from './records.ts';

/** A designation is found by its name too, in any letter case. */
export const designationIdentity: Identity = {
  name: 'designations',
  table: 'designation',
  ownId: ownIdsWith('dsg'),
  key: byName('designation'),
};

/** Designations in bulk. */
export const bulkDesignations = defineRecords({
  name: 'designations',
  record: 'Designation',
  identity: designationIdentity,
  fields: { external_id: 'text', name: 'text', created_at: 'timestamp' },
  parse: parserOf(
    z.strictObject({ external_id: externalId.optional(), name: requiredText(), created_at: moment.nullish() }),
  ),
  ...keyedByName,
  columns: { name: 'text' },
  ...searchedBy('name'),
  times: ['created_at'],
  newIds: newIdsWith('dsg'),
  exported: (organizationId) => sql`
    SELECT ${exportedId('designations', organizationId, sql`d.id`)} AS external_id, d.name, d.created_at
    FROM designation d WHERE d.organization_id = ${organizationId} ORDER BY d.position`,
});
