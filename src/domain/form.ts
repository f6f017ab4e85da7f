import { z } from 'zod';
import { isoTimestamp, sql } from '../store/sql.ts';
import { defineList } from './list.ts';
import { defineOperation } from './operation.ts';
import { type RecordSource, readByIds } from './records.ts';
import { matchesSearch } from './search.ts';

/** The kinds of form fields (specification, "Form field"). */
export const FIELD_TYPES = [
  'short_answer',
  'paragraph',
  'number',
  'email',
  'dropdown',
  'multiple_choice',
  'single_choice',
  'phone_number',
  'date',
  'time',
  'scale',
  'contact',
  'payment',
  'file_upload',
] as const;

/** One of {@link FIELD_TYPES}. */
export type FieldType = (typeof FIELD_TYPES)[number];

/** A question of a form; its id is the key of its answer in a response. */
export interface FormField {
  readonly id: number;
  readonly question: string;
  readonly field_type: FieldType;
  readonly is_required: boolean;
  readonly description: string | null;
  /** For `dropdown`, `single_choice` and `multiple_choice`; else null. */
  readonly options: readonly FormFieldOption[] | null;
  /** For `contact`: the parts it collects; else null. */
  readonly collects: ContactParts | null;
}

/** A choice of a form field. */
export interface FormFieldOption {
  readonly value: string;
  readonly active: boolean;
}

/** Which parts a `contact` field collects. */
export interface ContactParts {
  readonly first_name: boolean;
  readonly last_name: boolean;
  readonly email: boolean;
  readonly phone: boolean;
}

/** A form with its fields as callers see it (specification, "Form"). */
export interface Form {
  readonly id: number;
  readonly title: string;
  readonly description: string | null;
  readonly is_published: boolean;
  readonly accepting_response: boolean;
  readonly fields: readonly FormField[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a field of the table `ff` asks, as names and values of JSON. */
export const questionAsJson = sql`
  'question', ff.question, 'field_type', ff.field_type, 'is_required', ff.is_required,
  'description', ff.description,
  'options', CASE WHEN jsonb_typeof(ff.options) = 'array' THEN (
    SELECT coalesce(json_agg(json_build_object('value', option->'value', 'active', option->'active')), '[]')
    FROM jsonb_array_elements(ff.options) option) END,
  'collects', CASE WHEN jsonb_typeof(ff.collects) = 'object' THEN json_build_object(
    'first_name', ff.collects->'first_name', 'last_name', ff.collects->'last_name',
    'email', ff.collects->'email', 'phone', ff.collects->'phone') END`;

/** A {@link FormField} from the table `ff`. */
const fieldAsJson = sql`json_build_object('id', ff.id, ${questionAsJson})`;

const forms: RecordSource<Form> = {
  name: 'forms',
  columns: {
    id: sql`f.id`,
    title: sql`f.title`,
    description: sql`f.description`,
    is_published: sql`f.is_published`,
    accepting_response: sql`f.accepting_response`,
    fields: sql`(
      SELECT coalesce(json_agg(${fieldAsJson} ORDER BY ff.ordinal), '[]')
      FROM form_field ff WHERE ff.organization_id = f.organization_id AND ff.form_id = f.id)`,
    created_at: isoTimestamp('f.created_at'),
    updated_at: isoTimestamp('f.updated_at'),
  },
  table: 'form',
  alias: 'f',
};

/** `GET /forms`: search matches the title. */
export const listForms = defineList({
  scope: 'forms.view',
  source: forms,
  matches: (search) => matchesSearch('f', search),
});

/** Forms by integer id. */
export const findForms = defineOperation({
  scope: 'forms.view',
  input: z.array(z.number()),
  run: (context, ids, fields) => readByIds(context, forms, { column: 'f.id', type: 'int' }, ids, fields),
});

/** Form fields by integer id. */
export const findFormFields = defineOperation({
  scope: 'forms.view',
  input: z.array(z.number()),
  run: async (context, ids): Promise<(FormField | undefined)[]> => {
    const rows = await context.db.rows<{ field: FormField }>(sql`
      SELECT ${fieldAsJson} AS field FROM form_field ff
      WHERE ff.organization_id = ${context.caller.organization.id} AND ff.id = ANY(${ids}::int[])`);
    const byId = new Map(rows.map(({ field }) => [field.id, field]));
    return ids.map((id) => byId.get(id));
  },
});

const MAX_INTEGER_ID = 2_147_483_647;

/** The integer id of a form or a field as it is written; undefined for what cannot be one. */
export function parseIntegerId(written: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(written)) return undefined;
  const id = Number(written);
  return id <= MAX_INTEGER_ID ? id : undefined;
}
