import { z } from 'zod';
import { MAX_QUESTIONS } from '../../domain/core/limits.ts';
import { requiredText, text } from '../../domain/core/text.ts';
import { inputSchemaOf, mapFields } from '../../domain/definition/field.ts';
import { type FieldType, type FormField, formField, questionAsJson } from '../../domain/entities/form.ts';
import { searchTextOf } from '../../domain/lists/search.ts';
import { sql } from '../../store/sql.ts';
import type { Batch } from '../records/batch.ts';
import { linkExternalIds } from '../records/external-id.ts';
import { externalId } from '../records/input.ts';
import { takeNumberedIds } from '../records/numbered-ids.ts';
import type { Row } from '../records/resource-definition.ts';
import { sameValue } from '../records/same-value.ts';
import { insertRecords, type StoredRow, updateRecords, type Values } from '../records/write.ts';

const option = z.union([
  requiredText().transform((value) => ({ value, active: true })),
  z.strictObject({ value: text(), active: z.boolean().default(true) }),
]);
const part = z.boolean().nullish();

const { id: _, ...asked } = formField.fields;

/** A question as files have it. */
const formFieldInput = z.strictObject({
  external_id: externalId.optional(),
  ...mapFields(asked, inputSchemaOf),
  options: z.array(option).nullish(),
  collects: z.strictObject({ first_name: part, last_name: part, email: part, phone: part }).nullish(),
});

/** The questions of a form as files have them, each under an external id of its own. */
export const formFieldInputs = z
  .array(formFieldInput)
  .max(MAX_QUESTIONS, { error: `must be at most ${MAX_QUESTIONS} fields` })
  .superRefine((fields, { addIssue }) => {
    const first = new Map<string, number>();
    for (const [index, { external_id: name }] of fields.entries()) {
      if (name === undefined) continue;
      const other = first.get(name);
      if (other === undefined) first.set(name, index);
      else addIssue({ code: 'custom', path: [index, 'external_id'], message: `is that of fields.${other} too` });
    }
  });

/** One of a form's questions as a row says it. */
type FormFieldInput = z.output<typeof formFieldInput> & Pick<FormField, 'question'>;

/** A field of a form as it is stored. */
export interface StoredField {
  readonly id: string;
  readonly formId: string;
  /** The name that it has where it comes from. */
  readonly externalId: string | null;
  readonly fieldType: FieldType;
  readonly values: Values;
  /** Its question as it is searched for. */
  readonly searchText: string;
}

const COLUMNS = {
  form_id: 'int',
  ordinal: 'int',
  question: 'text',
  field_type: 'text',
  is_required: 'boolean',
  description: 'text',
  options: 'jsonb',
  collects: 'jsonb',
} as const;

/** The fields of forms in their order. */
export async function fieldsOfForms(batch: Batch, formIds: readonly string[]): Promise<Map<string, StoredField[]>> {
  const rows = await batch.rows<Omit<StoredField, 'searchText'>>(sql`
    SELECT ff.id::text AS id, ff.form_id::text AS "formId", ff.field_type AS "fieldType",
      substr(x.external_id, length(ff.form_id::text) + 2) AS "externalId", json_build_object(${questionAsJson}) AS values
    FROM form_field ff
    LEFT JOIN external_id x ON x.organization_id = ff.organization_id AND x.resource = 'form_fields'
      AND x.record_id = ff.id::text
    WHERE ff.organization_id = ${batch.organization.id} AND ff.form_id = ANY(${[...formIds]}::int[])
    ORDER BY ff.form_id, ff.ordinal`);
  const byForm = new Map<string, StoredField[]>(formIds.map((id) => [id, []]));
  for (const field of rows) {
    byForm.get(field.formId)?.push({ ...field, searchText: searchTextOf(String(field.values.question)) });
  }
  return byForm;
}

/** Finds a form's field by what a file calls it: its name where it comes from, its id, its question. */
export function findField(fields: readonly StoredField[], name: string): StoredField | undefined {
  const wanted = searchTextOf(name);
  return (
    fields.find(({ externalId }) => externalId === name) ??
    fields.find(({ id, externalId }) => externalId === null && (name === `field_${id}` || name === id)) ??
    fields.find(({ searchText }) => searchText === wanted)
  );
}

/**
 * Makes and changes the fields that rows name, in their order. Fields that they do not name stay, after
 * the others: an import deletes nothing, and there are answers to them.
 *
 * @returns the rows of which a field changed.
 */
export async function storeFields(batch: Batch, rows: readonly Row[]): Promise<Set<Row>> {
  const naming = rows.filter(({ said }) => said.fields !== undefined);
  if (naming.length === 0 || batch.planned) return new Set();
  const stored = await fieldsOfForms(
    batch,
    naming.map(({ id }) => id as string),
  );
  const changed = new Set<Row>();
  const [changes, creations]: [StoredRow[], (StoredRow & { readonly externalId: string | undefined })[]] = [[], []];
  for (const row of naming) {
    const formId = row.id as string;
    const before = stored.get(formId) ?? [];
    const after = fieldsAfter(before, row.said.fields as readonly FormFieldInput[]);
    if (sameValue(after.map(comparable), before.map(comparable))) continue;
    changed.add(row);
    for (const [ordinal, { id, externalId, values }] of after.entries()) {
      const all = { ...values, form_id: Number(formId), ordinal };
      if (id !== undefined) changes.push({ id, values: all });
      else creations.push({ id: '', values: all, externalId: externalId ?? undefined });
    }
  }
  const formIds = [...changed].map(({ id }) => id);
  // A form has an ordinal once: these are out of the way of the new ones.
  await batch.rows(sql`
    UPDATE form_field SET ordinal = -1 - abs(ordinal)
    WHERE organization_id = ${batch.organization.id} AND form_id = ANY(${formIds}::int[])`);
  await updateRecords(batch, 'form_field', COLUMNS, false, changes);
  await createFields(batch, creations);
  await batch.rows(sql`
    UPDATE form SET updated_at = greatest(now(), updated_at)
    WHERE organization_id = ${batch.organization.id}
      AND id = ANY(${[...changed].filter(({ before }) => before).map(({ id }) => id)}::int[])`);
  return changed;
}

type WantedField = Pick<StoredField, 'externalId' | 'values'> & { readonly id: string | undefined };

function comparable({ id, values }: Pick<WantedField, 'id' | 'values'>): unknown {
  return [id ?? null, values];
}

function fieldsAfter(before: readonly StoredField[], said: readonly FormFieldInput[]): WantedField[] {
  const left = new Set(before);
  const names = new Set<string | null>(said.flatMap(({ external_id }) => external_id ?? []));
  const named = said.map(({ external_id: externalId, ...values }): WantedField => {
    // A field whose own name stands elsewhere in the row is that one's, even if its question reads like this one.
    const known = [...left].filter((one) => one.externalId === externalId || !names.has(one.externalId));
    const field =
      (externalId === undefined ? undefined : findField(known, externalId)) ??
      known.find((one) => one.externalId === null && one.values.question === values.question);
    if (field) left.delete(field);
    const defaults = { is_required: false, description: null, options: null, collects: null };
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    return {
      id: field?.id,
      externalId: externalId ?? null,
      values: { ...(field?.values ?? defaults), ...given },
    };
  });
  return [...named, ...left];
}

async function createFields(
  batch: Batch,
  rows: readonly (StoredRow & { readonly externalId: string | undefined })[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = await takeNumberedIds(batch, 'form_field', rows.length);
  const made = rows.map(({ values, externalId }, index) => ({ id: ids[index] as string, values, externalId }));
  await insertRecords(batch, 'form_field', COLUMNS, [], made);
  const links = made.flatMap(({ id, values, externalId }) =>
    externalId === undefined ? [] : [{ id, externalId: `${values.form_id}/${externalId}` }],
  );
  await linkExternalIds(batch, 'form_fields', links);
}
