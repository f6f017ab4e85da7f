import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { MAX_QUESTIONS } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { defineEntity } from '../definition/entity.ts';
import {
  boolean,
  integerId,
  longText,
  object,
  objects,
  oneOf,
  recordTime,
  text,
  type ValuesOf,
} from '../definition/field.ts';
import { filterByBoolean } from '../definition/filter.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import {
  type BoundedSource,
  boundedRows,
  MAX_KILOBYTES_BY_ID,
  requireAllRows,
  rowsReadColumn,
} from '../lists/bounded-rows.ts';
import { readByIds } from '../lists/records.ts';
import { MAX_INTEGER } from '../values/numbers.ts';

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

/** An option of a form field. */
export const formFieldOption = {
  name: 'FormFieldOption',
  description: 'An option of a form field.',
  fields: {
    value: text('The text of the option.', { required: true }),
    active: boolean('Whether it can still be chosen.', { default: true }),
  },
};

/** The parts that a `contact` field collects. */
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

/** A question of a form. */
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
      MAX_QUESTIONS,
      'The options of a `dropdown`, `single_choice` or `multiple_choice` field; otherwise null.',
    ),
    collects: object(contactParts, 'The parts that a `contact` field collects; null for other types.'),
  },
};

/** An option of a form field. */
export type FormFieldOption = ValuesOf<typeof formFieldOption.fields>;

/** The parts that a `contact` field collects. */
export type ContactParts = ValuesOf<typeof contactParts.fields>;

/** A question of a form. */
export type FormField = ValuesOf<typeof formField.fields>;

/** The SQL of the fields of a form field from the table `ff`, except its id. */
const QUESTION_COLUMNS: Readonly<Record<string, Sql>> = {
  question: sql`ff.question`,
  field_type: sql`ff.field_type`,
  is_required: sql`ff.is_required`,
  description: sql`ff.description`,
  options: sql`CASE WHEN jsonb_typeof(ff.options) = 'array' THEN (
    SELECT coalesce(json_agg(json_build_object('value', option->'value', 'active', option->'active')), '[]')
    FROM jsonb_array_elements(ff.options) option) END`,
  collects: sql`CASE WHEN jsonb_typeof(ff.collects) = 'object' THEN json_build_object(
    'first_name', ff.collects->'first_name', 'last_name', ff.collects->'last_name',
    'email', ff.collects->'email', 'phone', ff.collects->'phone') END`,
};

/** The sizes of the fields of a form field that can be long. */
const QUESTION_SOURCE: BoundedSource = {
  alias: 'ff',
  longFields: {
    question: sql`octet_length(ff.question)`,
    description: sql`coalesce(octet_length(ff.description), 0)`,
    options: sql`coalesce(octet_length(ff.options::text), 0)`,
  },
};

/** The arguments of `json_build_object` for a form field from the table `ff`, except its id. */
export const questionAsJson = asPairs(QUESTION_COLUMNS);

/** A {@link FormField} from the table `ff`. */
const fieldAsJson = sql`json_build_object('id', ff.id, ${questionAsJson})`;

function asPairs(columns: Readonly<Record<string, Sql>>): Sql {
  return join(Object.entries(columns).map(([name, column]) => sql`${raw(`'${name}'`)}, ${column}`));
}

const EMPTY = { description: null, options: null, collects: null };

/** Forms (specification, "Form"). */
export const form = defineEntity({
  name: 'Form',
  plural: 'forms',
  description: 'A form of the organization with its fields.',
  scope: 'forms.view',
  table: 'form',
  alias: 'f',
  prefix: 'form',
  fields: {
    id: integerId('The form’s id.', { example: 5 }),
    title: text('Title.', { required: true, searchable: true, example: 'Membership Class Sign-Up' }),
    description: longText('What the form is for.', {
      example: 'By invitation: three evenings on what we believe and how we live together.',
    }),
    is_published: boolean('Whether it is published.', { default: false, example: false }),
    accepting_response: boolean('Whether it accepts responses.', { default: false, example: true }),
    fields: objects(formField, MAX_QUESTIONS, 'Its fields, in order.', {
      required: true,
      isReference: true,
      sql: sql`(
        SELECT coalesce(json_agg(${fieldAsJson} ORDER BY ff.ordinal), '[]')
        FROM form_field ff WHERE ff.organization_id = f.organization_id AND ff.form_id = f.id)`,
      example: [
        { id: 24, question: 'Who invited you?', field_type: 'short_answer', is_required: false, ...EMPTY },
        { id: 25, question: 'Your email address', field_type: 'email', is_required: true, ...EMPTY },
        {
          id: 26,
          question: 'Which class?',
          field_type: 'dropdown',
          is_required: false,
          ...EMPTY,
          options: [
            { value: 'March', active: true },
            { value: 'June', active: true },
            { value: 'October', active: true },
            { value: 'January', active: false },
          ],
        },
      ],
    }),
    created_at: recordTime('When the form was created.', { example: '2026-01-22T15:00:00.000Z' }),
    updated_at: recordTime('When the form was last updated.', { example: '2026-01-25T23:00:00.000Z' }),
  },
});

/** `GET /forms`. */
export const listForms = defineList({
  ...form,
  filters: {
    is_published: filterByBoolean(
      '`true`: only published forms. `false`: only forms that are not published.',
      (value) => sql`f.is_published = ${value}`,
    ),
    accepting_response: filterByBoolean(
      '`true`: only forms that accept responses. `false`: only forms that do not.',
      (value) => sql`f.accepting_response = ${value}`,
    ),
  },
});

/** Forms by integer id. */
export const findForms = defineOperation({
  name: 'findForms',
  scope: 'forms.view',
  input: z.array(z.number()),
  run: (context, ids, fields) => readByIds(context, form.source, { column: 'f.id', type: 'int' }, ids, fields),
});

/** `GET /forms/{form_id}`. */
export const getForm = defineGet({ ...form, parseId: parseIntegerId });

/** Form fields by integer id. */
export const findFormFields = defineOperation({
  name: 'findFormFields',
  scope: 'forms.view',
  input: z.array(z.number()),
  run: async (context, ids, fields): Promise<(FormField | undefined)[]> => {
    const selected = fields ? new Set(Object.values(fields)) : undefined;
    const columns = Object.entries(QUESTION_COLUMNS).filter(([name]) => selected?.has(name) ?? true);
    const found = sql`(
      SELECT ff.* FROM form_field ff
      WHERE ff.organization_id = ${context.caller.organization.id} AND ff.id = ANY(${[...new Set(ids)]}::int[])
    ) ff`;
    const rows = await context.db.rows<{ id: number; field: FormField; rows_read?: number }>(sql`
      SELECT ff.id, json_build_object(${asPairs({ id: sql`ff.id`, ...Object.fromEntries(columns) })}) AS field
        ${rowsReadColumn(QUESTION_SOURCE, fields)}
      FROM ${boundedRows(QUESTION_SOURCE, fields, found, sql`ff.id`, MAX_KILOBYTES_BY_ID)}`);
    requireAllRows(rows);
    const byId = new Map(rows.map(({ id, field }) => [id, field]));
    return ids.map((id) => byId.get(id));
  },
});

/**
 * Reads the form fields that meet a condition, in the order of their form.
 *
 * @param db the database, or a transaction that has locked the form.
 * @param condition on the table `ff`.
 */
export async function readFields(context: Context, db: Database, condition: Sql): Promise<FormField[]> {
  const rows = await db.rows<{ field: FormField }>(sql`
    SELECT ${fieldAsJson} AS field FROM form_field ff
    WHERE ff.organization_id = ${context.caller.organization.id} AND ${condition} ORDER BY ff.form_id, ff.ordinal`);
  return rows.map(({ field }) => field);
}

/** Parses the integer id of a form or form field; returns undefined if no record can have it. */
export function parseIntegerId(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  const id = Number(text);
  return id <= MAX_INTEGER ? id : undefined;
}
