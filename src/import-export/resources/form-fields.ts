import { z } from 'zod';
import { inputSchemaOf, mapFields } from '../../domain/definition/field.ts';
import {
  CHOICE_TYPES,
  type FieldType,
  type FormField,
  fieldPairsWithoutId,
  formField,
} from '../../domain/entities/form-field.ts';
import { isTypeChangeSafe } from '../../domain/forms/form-answer.ts';
import { MAX_QUESTIONS } from '../../domain/values/limits.ts';
import { searchTextOf } from '../../domain/values/search-text.ts';
import { requiredText } from '../../domain/values/text.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { isJsonEqual } from '../files/json.ts';
import { allocateIntegerIds, type Batch, insertion, type StoredRow, updateRecords } from '../records/batch.ts';
import { externalId } from '../records/entity-resource.ts';
import { externalIdsOf, firstExternalId, linkExternalIds } from '../records/references.ts';
import type { Row } from '../records/resource.ts';
import type { Values } from '../records/row.ts';

const option = z.union([
  requiredText().transform((value) => ({ value, active: true })),
  z.strictObject({ value: requiredText(), active: z.boolean().default(true) }),
]);
/** A part that is left out is not collected. */
const collected = z.boolean().nullable().default(false).transform(Boolean);

const { id: _, ...INPUT_FIELDS } = formField.fields;

/** A form field in files. Only fields of some types have options, and only contact fields collect parts. */
const formFieldInput = z
  .strictObject({
    external_id: externalId.optional(),
    ...mapFields(INPUT_FIELDS, inputSchemaOf),
    field_type: inputSchemaOf(INPUT_FIELDS.field_type) as z.ZodType<FieldType>,
    options: z.array(option).nullish(),
    collects: z
      .strictObject({ first_name: collected, last_name: collected, email: collected, phone: collected })
      .nullish(),
  })
  .superRefine(({ field_type: type, options, collects }, { addIssue }) => {
    if (options?.length && !CHOICE_TYPES.includes(type)) {
      const message = `must be empty, because only fields of type ${CHOICE_TYPES.join(', ')} have options`;
      addIssue({ code: 'custom', path: ['options'], message });
    }
    if (Object.values(collects ?? {}).includes(true) && type !== 'contact') {
      const message = 'must be null, because only fields of type contact collect parts';
      addIssue({ code: 'custom', path: ['collects'], message });
    }
  })
  .transform(({ options, collects, ...field }) => ({
    ...field,
    options: options && !CHOICE_TYPES.includes(field.field_type) ? null : options,
    collects: collects && field.field_type !== 'contact' ? null : collects,
  }));

/** The fields of a form in files; external ids must be distinct. */
export const formFieldInputs = z
  .array(formFieldInput)
  .max(MAX_QUESTIONS, { error: `must be at most ${MAX_QUESTIONS} fields` })
  .superRefine((fields, { addIssue }) => {
    const first = new Map<string, number>();
    for (const [index, { external_id: name }] of fields.entries()) {
      if (name === undefined) continue;
      const other = first.get(name);
      if (other === undefined) first.set(name, index);
      else addIssue({ code: 'custom', path: [index, 'external_id'], message: `duplicates fields.${other}` });
    }
  });

/** A form field of a row. */
type FormFieldInput = z.output<typeof formFieldInput> & Pick<FormField, 'question'>;

/** A stored form field. */
export interface StoredField {
  readonly id: string;
  readonly formId: string;
  /** Its identifier in the source system. */
  readonly externalId: string | null;
  readonly fieldType: FieldType;
  readonly values: Values;
  /** Its normalized question. */
  readonly searchText: string;
}

export const COLUMNS = {
  form_id: 'int',
  ordinal: 'int',
  question: 'text',
  field_type: 'text',
  is_required: 'boolean',
  description: 'text',
  options: 'jsonb',
  collects: 'jsonb',
} as const;

/** The fields of forms, in order. */
export async function fieldsOfForms(batch: Batch, formIds: readonly string[]): Promise<Map<string, StoredField[]>> {
  const rows = await batch.query<Omit<StoredField, 'externalId' | 'searchText'>>(sql`
    SELECT ff.id::text AS id, ff.form_id::text AS "formId", ff.field_type AS "fieldType",
      json_build_object(${fieldPairsWithoutId}) AS values
    FROM form_field ff
    WHERE ff.organization_id = ${batch.organization.id} AND ff.form_id = ANY(${[...formIds]}::int[])
    ORDER BY ff.form_id, ff.ordinal`);
  // A separate statement: without statistics, PostgreSQL would scan all external ids of the organization for each field.
  const ids = rows.map(({ id }) => id);
  const externalIds = await externalIdsOf(batch, 'form_fields', ids);
  const byForm = new Map<string, StoredField[]>(formIds.map((id) => [id, []]));
  for (const field of rows) {
    // Stored as `FORM_ID/EXTERNAL_ID`, such as `12/name`, because fields of several forms can have the same external id.
    const externalId = externalIds.get(field.id)?.[0]?.id.slice(`${field.formId}/`.length) ?? null;
    const searchText = searchTextOf(String(field.values.question));
    byForm.get(field.formId)?.push({ ...field, externalId, searchText });
  }
  return byForm;
}

/**
 * The SQL of the id of a form field in files: its external id or, if it has none, an id that includes the organization,
 * because different organizations have the same integer ids.
 *
 * @param formId the id of its form, as SQL.
 * @param id its id, as SQL.
 */
export function exportedFieldId(organizationId: string, formId: Sql, id: Sql): Sql {
  const externalId = firstExternalId('form_fields', organizationId, id);
  return sql`coalesce(substr(${externalId}, length(${formId}::text) + 2), ${`${organizationId}/field_`} || ${id})`;
}

/** Finds a form's field by external id, id or question, in this order. */
export function findField(
  { organization }: Batch,
  fields: readonly StoredField[],
  name: string,
): StoredField | undefined {
  return (
    fields.find((field) => idInFiles(organization.id, field) === name) ??
    fields.find(({ id, externalId }) => externalId === null && (name === `field_${id}` || name === id)) ??
    findByQuestion(fields, name)
  );
}

/** The {@link exportedFieldId} of a stored field. Bare ids such as `field_12` may be external ids of other fields. */
function idInFiles(organizationId: string, { id, externalId }: Pick<StoredField, 'id' | 'externalId'>): string {
  return externalId ?? `${organizationId}/field_${id}`;
}

function findByQuestion(fields: readonly StoredField[], name: string): StoredField | undefined {
  const normalized = searchTextOf(name);
  return fields.find(({ searchText }) => searchText === normalized);
}

/**
 * Creates and updates the form fields of rows, in order. Fields that a row does not list are kept, after the others,
 * because an import deletes nothing, and because there may be answers to them.
 *
 * @returns the rows with a changed field.
 */
export async function storeFields(batch: Batch, rows: readonly Row[]): Promise<Set<Row>> {
  const rowsWithFields = rows.filter(({ input }) => input.fields !== undefined);
  if (rowsWithFields.length === 0) return new Set();
  const ids = rowsWithFields.map(({ id }) => id as string);
  const stored = await fieldsOfForms(batch, ids);
  const changed = new Set<Row>();
  const [changes, creations]: [StoredRow[], NewField[]] = [[], []];
  for (const row of rowsWithFields) {
    const formId = row.id as string;
    const before = stored.get(formId) ?? [];
    const after = fieldsAfter(batch, before, row.input.fields as readonly FormFieldInput[]);
    if (isJsonEqual(after.map(comparable), before.map(comparable))) continue;
    changed.add(row);
    for (const [ordinal, { id, externalId, values }] of after.entries()) {
      const fieldValues = { ...values, form_id: Number(formId), ordinal };
      if (id !== undefined) changes.push({ id, values: fieldValues });
      else creations.push({ values: fieldValues, externalId });
    }
  }
  if (changed.size === 0) return changed;
  const formIds = [...changed].map(({ id }) => id);
  // Ordinals are unique per form: move the current ones out of the way.
  await batch.query(sql`
    UPDATE form_field SET ordinal = -1 - abs(ordinal)
    WHERE organization_id = ${batch.organization.id} AND form_id = ANY(${formIds}::int[])`);
  await updateRecords(batch, 'form_field', COLUMNS, false, changes);
  await createFields(batch, creations);
  await batch.query(sql`
    UPDATE form SET updated_at = greatest(now(), updated_at)
    WHERE organization_id = ${batch.organization.id}
      AND id = ANY(${[...changed].filter(({ before }) => before).map(({ id }) => id)}::int[])`);
  return changed;
}

type DesiredField = NewField & { readonly id: string | undefined };

function comparable({ id, values }: Pick<DesiredField, 'id' | 'values'>): unknown {
  return [id ?? null, values];
}

/** The fields of a form after an import: those of the row, in its order, then the others. */
function fieldsAfter(
  { organization }: Batch,
  before: readonly StoredField[],
  inputs: readonly FormFieldInput[],
): DesiredField[] {
  const remaining = new Set(before);
  const idsOfInputs = new Set(inputs.flatMap(({ external_id }) => external_id ?? []));
  const named = inputs.map(({ external_id: externalId, ...values }): DesiredField => {
    // A field whose id is listed elsewhere in the row is not matched here by its question.
    const candidates = [...remaining].filter((field) => {
      const id = idInFiles(organization.id, field);
      return id === externalId || !idsOfInputs.has(id);
    });
    const field =
      (externalId === undefined
        ? undefined
        : (candidates.find((candidate) => idInFiles(organization.id, candidate) === externalId) ??
          findByQuestion(candidates, externalId))) ??
      candidates.find((candidate) => candidate.externalId === null && candidate.values.question === values.question);
    if (field) remaining.delete(field);
    const defaults = { is_required: false, description: null, options: null, collects: null };
    const changes = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    return { id: field?.id, externalId: externalId ?? null, values: { ...(field?.values ?? defaults), ...changes } };
  });
  return [...named, ...remaining];
}

type NewField = Pick<StoredField, 'externalId' | 'values'>;

async function createFields(batch: Batch, fields: readonly NewField[]): Promise<void> {
  if (fields.length === 0) return;
  const ids = await allocateIntegerIds(batch, 'form_field', fields.length);
  const created = fields.map((field, index) => ({ ...field, id: ids[index] as string }));
  const { names, values, recordset } = insertion(created, 'int', COLUMNS, []);
  await batch.query(sql`
    INSERT INTO form_field (organization_id, id, ${names})
    SELECT ${batch.organization.id}, s.id, ${values} FROM ${recordset}`);
  const links = created.flatMap(({ id, values, externalId }) =>
    externalId === null ? [] : [{ id, externalId: `${values.form_id}/${externalId}` }],
  );
  // The external ids of fields belong to their form, so they need no namespace of a source.
  await linkExternalIds({ ...batch, source: '' }, 'form_fields', links);
}

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
  const answered = await answeredFields(
    batch,
    candidates.map(({ row, id }) => ({ formId: row.id, id })),
  );
  for (const { row, index, id, from, to } of candidates) {
    if (!answered.has(id)) continue;
    const message = `cannot change from ${from} to ${to}, because the field already has answers; add a field instead`;
    row.problems.push({ field: `fields.${index}.field_type`, message });
  }
}

/** Returns the ids of those fields that have answers. */
export async function answeredFields(
  { query, organization }: Batch,
  fields: readonly { readonly formId: unknown; readonly id: string }[],
): Promise<Set<string>> {
  const rows = await query<{ id: string }>(sql`
    SELECT s.id FROM unnest(${fields.map(({ formId }) => formId)}::int[], ${fields.map(({ id }) => id)}::text[]) AS s (form_id, id)
    WHERE EXISTS (
      SELECT FROM form_response r
      WHERE r.organization_id = ${organization.id} AND r.form_id = s.form_id AND r.answers ? s.id)`);
  return new Set(rows.map(({ id }) => id));
}
