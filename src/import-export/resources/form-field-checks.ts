import { MAX_QUESTIONS } from '../../domain/core/limits.ts';
import type { FieldType } from '../../domain/entities/form-field.ts';
import { isTypeChangeSafe } from '../../domain/forms/form-answer.ts';
import { sql } from '../../store/sql.ts';
import type { Batch } from '../records/batch.ts';
import type { Row } from '../records/resource-definition.ts';
import type { FormFieldInput } from './form-field-input.ts';
import { fieldsAfter, fieldsOfForms, type StoredField } from './form-fields.ts';

/** A row that changes the fields of a stored form. */
interface FormChange {
  readonly row: Row;
  readonly before: readonly StoredField[];
  readonly inputs: readonly FormFieldInput[];
  readonly after: ReturnType<typeof fieldsAfter>;
}

/** Rejects rows that would give a form too many fields, or change the type of an answered field incompatibly. */
export async function checkFormFields(batch: Batch, _: readonly Row[], changes: readonly Row[]): Promise<void> {
  const rows = changes.filter(({ input }) => input.fields !== undefined);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id as string);
  const stored = await fieldsOfForms(batch, ids);
  const forms = rows.map((row): FormChange => {
    const before = stored.get(row.id as string) ?? [];
    const inputs = row.input.fields as readonly FormFieldInput[];
    return { row, before, inputs, after: fieldsAfter(batch, before, inputs) };
  });
  rejectTooManyFields(forms);
  await rejectTypeChanges(batch, forms);
}

/** Rejects rows that would give a form more than `MAX_QUESTIONS` fields. The schema limits only a single row. */
function rejectTooManyFields(forms: readonly FormChange[]): void {
  for (const { row, before, after } of forms) {
    // A form that already has more fields can still be updated.
    if (after.length <= Math.max(MAX_QUESTIONS, before.length)) continue;
    const message = `the form would have ${after.length} fields, more than ${MAX_QUESTIONS}; fields that a row does not list are kept`;
    row.problems.push({ field: 'fields', message });
  }
}

/** Rejects rows that change the type of a field if stored answers have a structure that the new type does not allow. */
async function rejectTypeChanges(batch: Batch, forms: readonly FormChange[]): Promise<void> {
  const candidates = forms.flatMap(({ row, before, inputs, after }) => {
    const typeOf = new Map(before.map(({ id, fieldType }) => [id, fieldType]));
    return inputs.flatMap((_, index) => {
      const { id, values } = after[index] as (typeof after)[number];
      const [from, to] = [id === undefined ? undefined : typeOf.get(id), values.field_type as FieldType];
      return id === undefined || from === undefined || isTypeChangeSafe(from, to) ? [] : [{ row, index, id, from, to }];
    });
  });
  if (candidates.length === 0) return;
  const answered = await batch.query<{ id: string }>(sql`
    SELECT c.id FROM unnest(${candidates.map(({ row }) => row.id as string)}::int[],
      ${candidates.map(({ id }) => id)}::text[]) AS c (form_id, id)
    WHERE EXISTS (
      SELECT 1 FROM form_response r
      WHERE r.organization_id = ${batch.organization.id} AND r.form_id = c.form_id AND r.answers ? c.id)`);
  const answeredIds = new Set(answered.map(({ id }) => id));
  for (const { row, index, id, from, to } of candidates) {
    if (!answeredIds.has(id)) continue;
    const message = `cannot change from ${from} to ${to}, because the field already has answers; add a field instead`;
    row.problems.push({ field: `fields.${index}.field_type`, message });
  }
}
