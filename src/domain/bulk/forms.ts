import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { parseIntegerId, questionAsJson } from '../form.ts';
import { LONG, optionalText, requiredText } from '../text.ts';
import type { Batch } from './batch.ts';
import { byName, exportedId, type Identity } from './external-id.ts';
import { saidFields, storeFields } from './form-fields.ts';
import { externalId, parserOf, times } from './input.ts';
import { takeNumberedIds } from './numbered-ids.ts';
import { searchedBy } from './record-kind.ts';
import { defineRecords } from './records.ts';

/** A form's own id as a file has it: with the organization, because numbers are the same everywhere. */
const OWN_ID = /^(org_\w+)\/form_(\d+)$/;

/** A form is found by its title too, in any letter case, by those that refer to it. */
export const formIdentity: Identity = {
  name: 'forms',
  table: 'form',
  ownId(organizationId, name) {
    const [, organization, id = ''] = OWN_ID.exec(name) ?? [];
    return organization === organizationId ? parseIntegerId(id)?.toString() : undefined;
  },
  key: byName('form'),
};

/** Forms in bulk, with their fields. */
export const bulkForms = defineRecords({
  name: 'forms',
  record: 'Form',
  identity: formIdentity,
  relatedTables: ['form_field'],
  fields: {
    external_id: 'text',
    title: 'text',
    description: 'text',
    is_published: 'boolean',
    accepting_response: 'boolean',
    fields: 'json',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  parse: parserOf(
    z.strictObject({
      external_id: externalId,
      title: requiredText(),
      description: optionalText(LONG),
      is_published: z.boolean().optional(),
      accepting_response: z.boolean().optional(),
      fields: saidFields.optional(),
      ...times,
    }),
  ),
  columns: { title: 'text', description: 'text', is_published: 'boolean', accepting_response: 'boolean' },
  ...searchedBy('title'),
  times: ['created_at', 'updated_at'],
  defaults: { is_published: false, accepting_response: false },
  newIds,
  storeRelated: storeFields,
  exported: (organizationId) => sql`
    SELECT ${exportedId('forms', organizationId, sql`f.id`, sql`${`${organizationId}/form_`} || f.id`)} AS external_id,
      f.title, f.description, f.is_published, f.accepting_response, (
        SELECT coalesce(json_agg(json_build_object('external_id', coalesce(substr(x.external_id, length(f.id::text) + 2),
          'field_' || ff.id), ${questionAsJson}) ORDER BY ff.ordinal), '[]')
        FROM form_field ff
        LEFT JOIN external_id x ON x.organization_id = ff.organization_id AND x.resource = 'form_fields'
          AND x.record_id = ff.id::text
        WHERE ff.organization_id = f.organization_id AND ff.form_id = f.id) AS fields,
      f.created_at, f.updated_at
    FROM form f WHERE f.organization_id = ${organizationId} ORDER BY f.position`,
});

async function newIds(batch: Batch, count: number): Promise<string[]> {
  // A trial takes no number away.
  if (batch.planned) return Array.from({ length: count }, () => `planned ${Math.random()}`);
  return takeNumberedIds(batch, 'form', count);
}
