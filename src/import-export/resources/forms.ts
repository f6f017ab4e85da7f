import { form, parseIntegerId, questionAsJson } from '../../domain/entities/form.ts';
import { sql } from '../../store/sql.ts';
import type { Batch } from '../records/batch.ts';
import { identityOf, kindOf } from '../records/entity-definition.ts';
import { byName, exportedId, type Identity } from '../records/external-id.ts';
import { defineRecords } from '../records/import-resource.ts';
import { takeNumberedIds } from '../records/numbered-ids.ts';
import { formFieldInputs, storeFields } from './form-fields.ts';

/** A form's own id as a file has it: with the organization, because numbers are the same everywhere. */
const OWN_ID = /^(org_\w+)\/form_(\d+)$/;

/** A form is found by its title too, in any letter case, by those that refer to it. */
export const formIdentity: Identity = {
  ...identityOf(form),
  ownId(organizationId, name) {
    const [, organization, id = ''] = OWN_ID.exec(name) ?? [];
    return organization === organizationId ? parseIntegerId(id)?.toString() : undefined;
  },
  key: byName('form'),
};

/** Forms in bulk, with their fields. */
export const importForms = defineRecords(
  kindOf(form, {
    identity: formIdentity,
    isNamedByKey: false,
    relatedTables: ['form_field'],
    inputs: { fields: formFieldInputs.optional() },
    newIds,
    storeRelated: storeFields,
    exports: (organizationId) => ({
      columns: {
        external_id: exportedId('forms', organizationId, sql`f.id`, sql`${`${organizationId}/form_`} || f.id`),
        fields: sql`(
          SELECT coalesce(json_agg(json_build_object('external_id', coalesce(substr(x.external_id, length(f.id::text) + 2),
            'field_' || ff.id), ${questionAsJson}) ORDER BY ff.ordinal), '[]')
          FROM form_field ff
          LEFT JOIN external_id x ON x.organization_id = ff.organization_id AND x.resource = 'form_fields'
            AND x.record_id = ff.id::text
          WHERE ff.organization_id = f.organization_id AND ff.form_id = f.id)`,
      },
    }),
  }),
);

async function newIds(batch: Batch, count: number): Promise<string[]> {
  // A trial takes no number away.
  if (batch.planned) return Array.from({ length: count }, () => `planned ${Math.random()}`);
  return takeNumberedIds(batch, 'form', count);
}
