import { z } from 'zod';
import { join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { defineOperation } from '../core/operation.ts';
import {
  boolean,
  integerId,
  longText,
  mapFields,
  object,
  objects,
  oneOf,
  text,
  type ValuesOf,
} from '../definition/field.ts';
import { type BoundedSource, boundedRows, requireAllRows, rowsReadColumn } from '../records/bounded-rows.ts';

const fieldTypes = {
  name: 'FieldType',
  description: 'The types of form fields, with the same values as in REST.',
  values: {
    short_answer: 'Single-line text; the answer is a string.',
    paragraph: 'Multi-line text; the answer is a string.',
    number: 'A number; the answer is a number.',
    email: 'An email address; the answer is a string.',
    dropdown: 'One of the options, chosen from a dropdown; the answer is a string.',
    multiple_choice: 'Any number of the options; the answer is an array of strings.',
    single_choice: 'One of the options; the answer is a string.',
    phone_number: 'A phone number; the answer is a string.',
    date: 'A date; the answer is a string.',
    time: 'A time of day; the answer is a string.',
    scale: 'A value on a scale; the answer is a number.',
    contact: 'Contact data; the answer is an object with the collected parts.',
    payment: 'A payment; the answer is `{ amount, currency, status }`.',
    file_upload: 'Files; the answer is an array of `{ name, url, size }`.',
  },
};

/** The type of a form field (specification, "Form field"). */
export type FieldType = keyof typeof fieldTypes.values;

/** The types of fields that have options. */
export const CHOICE_TYPES: readonly FieldType[] = ['dropdown', 'single_choice', 'multiple_choice'];

/** An option of a form field. */
export const formFieldOption = {
  name: 'FormFieldOption',
  description: 'An option of a form field.',
  fields: {
    value: text('The text of the option.', { required: true }),
    active: boolean('Whether it can still be chosen.', { default: true }),
  },
};

export const contactParts = {
  name: 'ContactParts',
  description: 'The parts that a `contact` field collects; null for other types.',
  fields: {
    first_name: boolean('Whether it collects the given name.', { required: true }),
    last_name: boolean('Whether it collects the family name.', { required: true }),
    email: boolean('Whether it collects the email address.', { required: true }),
    phone: boolean('Whether it collects the phone number.', { required: true }),
  },
};

export const formField = {
  name: 'FormField',
  description: 'A field of a form: a question.',
  fields: {
    id: integerId('The integer id of the field: the key of its answer in a form response.'),
    question: longText('The question.', { required: true }),
    field_type: oneOf(fieldTypes, 'The type of the field. The structure of an answer depends on it.', {
      required: true,
    }),
    is_required: boolean('Whether it must be answered.', { default: false }),
    description: longText('Additional explanation of the question.'),
    options: objects(
      formFieldOption,
      'The options of a `dropdown`, `single_choice` or `multiple_choice` field; otherwise null.',
    ),
    collects: object(contactParts, 'The parts that a `contact` field collects; null for other types.'),
  },
};

/** The parts that a `contact` field collects. */
export type ContactParts = ValuesOf<typeof contactParts.fields>;

/** A question of a form. */
export type FormField = ValuesOf<typeof formField.fields>;

/** The SQL of the fields of a form field from the table `ff`, without its id. */
const COLUMNS: Readonly<Record<string, Sql>> = {
  question: sql`ff.question`,
  field_type: sql`ff.field_type`,
  is_required: sql`ff.is_required`,
  description: sql`ff.description`,
  options: sql`CASE WHEN ff.field_type IN (${raw(CHOICE_TYPES.map((type) => `'${type}'`).join())}) AND jsonb_typeof(ff.options) = 'array' THEN (
    SELECT coalesce(json_agg(json_build_object('value', option->'value', 'active', option->'active')), '[]')
    FROM jsonb_array_elements(ff.options) option) END`,
  collects: sql`CASE WHEN ff.field_type = 'contact' AND jsonb_typeof(ff.collects) = 'object' THEN json_build_object(
    ${asPairs(mapFields(contactParts.fields, (_, part) => sql`ff.collects->${raw(`'${part}'`)} IS NOT DISTINCT FROM 'true'`))}
  ) END`,
};

/** The table `ff`, for `boundedRows`. */
const SOURCE: BoundedSource = {
  alias: 'ff',
  longFields: {
    question: sql`octet_length(ff.question)`,
    description: sql`coalesce(octet_length(ff.description), 0)`,
    options: sql`coalesce(octet_length(ff.options::text), 0)`,
  },
};

/** The arguments of `json_build_object` for a form field from the table `ff`, without its id. */
export const fieldPairsWithoutId = asPairs(COLUMNS);

/** The SQL of a {@link FormField} as JSON, from the table `ff`. */
export const fieldAsJson = sql`json_build_object('id', ff.id, ${fieldPairsWithoutId})`;

function asPairs(columns: Readonly<Record<string, Sql>>): Sql {
  return join(Object.entries(columns).map(([name, column]) => sql`${raw(`'${name}'`)}, ${column}`));
}

/** Form fields by integer id, in the order of the ids; undefined for an unknown id. */
export const findFormFields = defineOperation({
  name: 'findFormFields',
  scope: 'forms.view',
  input: z.array(z.number()),
  run: async (context, ids, fields): Promise<(FormField | undefined)[]> => {
    const selected = fields ? new Set(Object.values(fields)) : undefined;
    const columns = Object.entries(COLUMNS).filter(([name]) => selected?.has(name) ?? true);
    const found = sql`(
      SELECT ff.* FROM form_field ff
      WHERE ff.organization_id = ${context.caller.organization.id} AND ff.id = ANY(${[...new Set(ids)]}::int[])
    ) ff`;
    const rows = await context.db.rows<{ id: number; field: FormField; rows_read?: number }>(sql`
      SELECT ff.id, json_build_object(${asPairs({ id: sql`ff.id`, ...Object.fromEntries(columns) })}) AS field
        ${rowsReadColumn(SOURCE, fields)}
      FROM ${boundedRows(SOURCE, fields, { rows: found, order: sql`ff.id` })}`);
    requireAllRows(rows);
    const byId = new Map(rows.map(({ id, field }) => [id, field]));
    return ids.map((id) => byId.get(id));
  },
});

/** Reads the fields of a form in their order. */
export async function readFields({ db, caller }: Context, formId: number): Promise<FormField[]> {
  const rows = await db.rows<{ field: FormField }>(sql`
    SELECT ${fieldAsJson} AS field FROM form_field ff
    WHERE ff.organization_id = ${caller.organization.id} AND ff.form_id = ${formId}::int ORDER BY ff.ordinal`);
  return rows.map(({ field }) => field);
}
