import { form } from '../../domain/entities/form.ts';
import { fieldPairsWithoutId } from '../../domain/entities/form-field.ts';
import { parseIntegerId } from '../../domain/values/ids.ts';
import { sql } from '../../store/sql.ts';
import { allocateIntegerIds } from '../records/batch.ts';
import { importResourceFor, matcherFor } from '../records/entity-resource.ts';
import { byName, externalIdSql, type Matcher } from '../records/references.ts';
import { checkFormFields, exportedFieldId, formFieldInputs, storeFields } from './form-fields.ts';
import { undoFields } from './undo-form-fields.ts';

/**
 * The id of a form in files. It includes the organization, because different organizations have the same integer ids.
 */
const EXPORTED_ID = /^(org_\w+)\/form_(\d+)$/;

/** Finds forms by external id, exported id or title, ignoring letter case. */
export const formMatcher: Matcher = {
  ...matcherFor(form),
  advice: 'use its external_id, its title, or its exported id such as "org_…/form_12", or import it first',
  idOf(organizationId, name) {
    const [, organization, id = ''] = EXPORTED_ID.exec(name) ?? [];
    return organization === organizationId ? parseIntegerId(id)?.toString() : undefined;
  },
  key: byName('form'),
};

/** Imports forms with their fields. */
export const importForms = importResourceFor(form, {
  matcher: formMatcher,
  isExternalIdOptional: false,
  relatedTables: ['form_field'],
  inputs: { fields: formFieldInputs.optional() },
  newIds: (batch, count) => allocateIntegerIds(batch, 'form', count),
  check: checkFormFields,
  storeRelated: storeFields,
  undoFields,
  exports: (organizationId) => ({
    columns: {
      external_id: externalIdSql('forms', organizationId, sql`f.id`, sql`${`${organizationId}/form_`} || f.id`),
      fields: sql`(
          SELECT coalesce(json_agg(json_build_object(
            'external_id', ${exportedFieldId(organizationId, sql`f.id`, sql`ff.id`)},
            ${fieldPairsWithoutId}) ORDER BY ff.ordinal), '[]')
          FROM form_field ff
          WHERE ff.organization_id = f.organization_id AND ff.form_id = f.id)`,
    },
  }),
});
