import type { FieldError } from '../../domain/core/errors.ts';
import { formResponse } from '../../domain/entities/form-response.ts';
import { answerErrors, answersObject, parseAnswer, problem } from '../../domain/forms/form-answer.ts';
import { raw, sql } from '../../store/sql.ts';
import type { Batch } from '../records/batch.ts';
import { importResourceFor } from '../records/entity-resource.ts';
import { externalIdSql } from '../records/references.ts';
import type { Row } from '../records/resource.ts';
import type { Values } from '../records/row.ts';
import { exportedFieldId, fieldsOfForms, findField, type StoredField } from './form-fields.ts';
import { formMatcher } from './forms.ts';

/** Imports form responses; answers are keyed by the external id, id or question of their field. */
export const importFormResponses = importResourceFor(formResponse, {
  inputs: { answers: answersObject },
  references: { form: { matcher: formMatcher, column: 'form_id' } },
  convert: convertAnswers,
  check: rejectMovesWithoutAnswers,
  // Answers belong to the fields of a form.
  inseparable: ['form_id', 'answers'],
  exports: (organizationId) => ({
    columns: {
      form: externalIdSql('forms', organizationId, sql`r.form_id`, sql`${`${organizationId}/form_`} || r.form_id`),
      answers: sql`(
          SELECT coalesce(json_object_agg(
            ${exportedFieldId(organizationId, sql`r.form_id`, sql`answer.key`)}, answer.value), '{}')
          FROM jsonb_each(r.answers) answer)`,
    },
    joins: sql`JOIN form f ON f.organization_id = r.organization_id AND f.id = r.form_id`,
    order: raw('f.position, r.position'),
  }),
});

/** Replaces the keys of answers (external ids, ids or questions) with the ids of fields, and checks the answers. */
async function convertAnswers(batch: Batch, rows: readonly Row[]): Promise<void> {
  const formOf = ({ references: { form = [] } }: Row) => form[0];
  const ids = [...new Set(rows.flatMap((row) => formOf(row) ?? []))];
  await lockForms(batch, ids);
  const fields = await fieldsOfForms(batch, ids);
  for (const row of rows) {
    const { answers } = row.input;
    if (answers === undefined) continue;
    const form = formOf(row);
    if (form === undefined) {
      row.problems.push({ field: 'form', message: 'required' });
      continue;
    }
    const result = parseAnswers(batch, fields.get(form) ?? [], answers as Values);
    if (Array.isArray(result)) row.problems.push(...result);
    else row.values.answers = result;
  }
}

/**
 * Locks forms until the transaction ends, in id order to avoid deadlocks. Imports lock a form before they change its
 * fields, so the types of the fields do not change until the answers are stored.
 */
async function lockForms({ query, organization }: Batch, ids: readonly string[]): Promise<void> {
  await query(sql`
    SELECT FROM form WHERE organization_id = ${organization.id} AND id = ANY(${[...ids]}::int[]) ORDER BY id FOR SHARE`);
}

const UNKNOWN = 'the form has no such field';
const REPEATED = 'answers the same field as another answer';

/** Answers keyed by field id, or the errors. */
function parseAnswers(batch: Batch, fields: readonly StoredField[], answers: Values): Values | FieldError[] {
  const byId: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(answers)) {
    const field = findField(batch, fields, name);
    const isRepeated = field !== undefined && Object.hasOwn(byId, field.id);
    const result =
      field && !isRepeated ? parseAnswer(field.fieldType, value) : problem(isRepeated ? REPEATED : UNKNOWN);
    if ('problems' in result) errors.push(...answerErrors(name, result.problems));
    else if (field) byId[field.id] = result.value;
  }
  return errors.length > 0 ? errors : byId;
}

/** Rejects rows that give a response another form without answers: its answers belong to the fields of its form. */
async function rejectMovesWithoutAnswers(_: Batch, __: readonly Row[], changes: readonly Row[]): Promise<void> {
  for (const row of changes) {
    if (row.input.answers !== undefined || row.after?.form_id === row.before?.form_id) continue;
    row.problems.push({ field: 'answers', message: 'required when a row moves a response to another form' });
  }
}
