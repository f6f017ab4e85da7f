import { type FieldError, truncate } from '../../domain/core/errors.ts';
import { formResponse } from '../../domain/entities/form-response.ts';
import { answersObject, parseAnswer } from '../../domain/forms/form-answer.ts';
import { raw, sql } from '../../store/sql.ts';
import { type Batch, type RowValues, rejected } from '../records/batch.ts';
import { definitionFor } from '../records/entity-definition.ts';
import { externalIdSql, resolveReferences, unresolvedMessage } from '../records/external-id.ts';
import { createImportResource } from '../records/import-resource.ts';
import { inputColumns, type Row } from '../records/resource-definition.ts';
import { fieldsOfForms, findField, type StoredField } from './form-fields.ts';
import { formMatcher } from './forms.ts';

const stored = { columns: { form_id: 'int', answers: 'jsonb' }, timestamps: ['submitted_at'] } as const;

/** Imports form responses; answers are keyed by the external id, id or question of their field. */
export const importFormResponses = createImportResource(
  definitionFor(formResponse, {
    columns: stored.columns,
    inputs: { answers: answersObject },
    resolve: resolveAnswers,
    exports: (organizationId) => ({
      columns: {
        form: externalIdSql('forms', organizationId, sql`r.form_id`, sql`${`${organizationId}/form_`} || r.form_id`),
        answers: sql`(
          SELECT coalesce(json_object_agg(coalesce(substr(x.external_id, length(r.form_id::text) + 2),
            'field_' || answer.key), answer.value), '{}')
          FROM jsonb_each(r.answers) answer
          LEFT JOIN external_id x ON x.organization_id = r.organization_id AND x.resource = 'form_fields'
            AND x.record_id = answer.key)`,
      },
      joins: sql`JOIN form f ON f.organization_id = r.organization_id AND f.id = r.form_id`,
      order: raw('f.position, r.position'),
    }),
  }),
);

async function resolveAnswers(batch: Batch, rows: readonly Row[]): Promise<void> {
  const references = rows.flatMap(({ input }) => (typeof input.form === 'string' ? [input.form] : []));
  const forms = await resolveReferences(batch, formMatcher, references);
  const ids = [...new Set(forms.values())].filter((id) => typeof id === 'string');
  // In a dry run, the fields of new forms are not stored: answers to them are not checked.
  const storedIds = ids.filter((id) => !batch.dryRun?.has('forms', id));
  const fields = await fieldsOfForms(batch, storedIds);
  for (const row of rows) {
    const { form, answers } = row.input;
    row.values = inputColumns(stored, row.input);
    if (typeof form !== 'string') {
      // Answers can only be checked against a form.
      if (answers !== undefined) row.outcome = rejected({ field: 'form', message: 'required' });
      continue;
    }
    const id = forms.get(form);
    if (typeof id !== 'string') {
      row.outcome = rejected({ field: 'form', message: unresolvedMessage('form', form, id) });
      continue;
    }
    row.values.form_id = Number(id);
    const formFields = fields.get(id);
    if (answers === undefined || !formFields) continue;
    const result = parseAnswers(formFields, answers as RowValues);
    if (Array.isArray(result)) row.outcome = rejected(...result);
    else row.values.answers = result;
  }
}

/** Answers keyed by field id, or the errors. */
function parseAnswers(fields: readonly StoredField[], answers: RowValues): RowValues | FieldError[] {
  const byId: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(answers)) {
    const field = findField(fields, name);
    const result = field ? parseAnswer(field.fieldType, value) : { problem: 'the form has no such field' };
    if ('problem' in result) errors.push({ field: truncate(`answers.${name}`), message: result.problem });
    else if (field) byId[field.id] = result.value;
  }
  return errors.length > 0 ? errors : byId;
}
