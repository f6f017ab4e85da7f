import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { notFound } from '../core/errors.ts';
import { defineOperation } from '../core/operation.ts';
import { defineEntity, type RecordOf } from '../definition/entity.ts';
import { computed, id, integerId, json, recordTime, text } from '../definition/field.ts';
import { listFields, ONLY_ENTRY, toListRequest } from '../definition/list.ts';
import { type Page, pageArguments, rejectFirstWithLast } from '../lists/page.ts';
import { readPage, readPagesByParent } from '../lists/read-pages.ts';
import { type JsonRecord, readOne } from '../records/records.ts';
import { formIdProblem, idProblem, isId, parseIntegerId } from '../values/ids.ts';
import type { FieldType } from './form-field.ts';

/** An answer and the integer id of the form field that it answers. */
export interface FormAnswer {
  readonly field_id: number;
  readonly value: unknown;
  /** The type of the field; null if it is no longer part of the form. */
  readonly field_type: FieldType | null;
}

/** Form responses (specification, "Form response"); `answers` has all answers of the respondent. */
export const formResponse = defineEntity({
  name: 'FormResponse',
  plural: 'form_responses',
  description: 'A response to a form.',
  scope: 'form_responses.view',
  table: 'form_response',
  alias: 'r',
  prefix: 'frs',
  fields: {
    id: id('The response’s id.', { example: 'frs_01j0000000000000000000000d' }),
    form_id: integerId('The integer id of the form.', { example: 2 }),
    submitted_at: recordTime('When it was submitted.', { example: '2026-01-10T22:00:00.000Z' }),
    answers: json(
      'The answers, keyed by form field id. The JSON type of an answer depends on the `field_type` of its field. ' +
        '`number`, `scale`: number. `multiple_choice`: array of strings. `contact`: object with the collected parts. ' +
        '`payment`: `{ amount, currency, status }`. `file_upload`: array of `{ name, url, size }`. All others: string.',
      {
        example: {
          '6': 'julian.dubois@example.org',
          '7': '+12025550199',
          '8': '1984-03-17',
          '9': 2,
          '10': 'Day guest',
          '11': '14:30',
          '12': { amount: 50, status: 'paid', currency: 'USD' },
          '13': [
            {
              url: 'https://files.example.org/uploads/frs_01j0000000000000000000000d/consent-form.pdf',
              name: 'consent-form.pdf',
              size: 345570,
            },
          ],
        },
      },
    ),
    // Answers to fields that are no longer part of the form come last.
    ordered_answers: computed<readonly FormAnswer[]>('The answers in the order of the form’s fields.', {
      // Each answer also has the id and the type of its field.
      sizeSql: sql`(
          octet_length(r.answers::text) + 60 * (SELECT count(*) FROM jsonb_object_keys(r.answers))::int)`,
      sql: sql`(
        SELECT coalesce(
          json_agg(
            json_build_object('field_id', answer.key::int, 'value', answer.value, 'field_type', ff.field_type)
            ORDER BY ff.ordinal, answer.key::int),
          '[]')
        FROM jsonb_each(r.answers) answer
        LEFT JOIN form_field ff
          ON ff.organization_id = r.organization_id AND ff.form_id = r.form_id AND ff.id::text = answer.key)`,
    }),
  },
  fileFields: { form: text('The form.', { required: true }) },
  fileOrder: ['form', 'submitted_at', 'answers'],
});

/** A form response as callers see it. */
export type FormResponse = RecordOf<typeof formResponse>;

/** `GET /forms/{form_id}/responses/{response_id}`. A response to another form is not found. */
export const getFormResponse = defineOperation({
  name: 'getFormResponse',
  scope: 'form_responses.view',
  input: z.strictObject({ form_id: z.string(), id: z.string() }),
  run: async (context, { form_id, id }, fields): Promise<JsonRecord<FormResponse>> => {
    const formId = parseIntegerId(form_id);
    const response =
      formId !== undefined && isId('frs', id)
        ? await readOne(context, formResponse.source, sql`r.id = ${id} AND r.form_id = ${formId}::int`, fields)
        : undefined;
    if (!response) throw notFound('Form response', formIdProblem(form_id) ?? idProblem('frs', 'form response', id));
    return response;
  },
});

/** A page of the responses of each of several forms by integer id, in one statement. */
export const listResponsesOfForms = defineOperation({
  name: 'listFormResponses',
  scope: 'form_responses.view',
  input: z.strictObject({ form_ids: z.array(z.number()), page: pageArguments }),
  run: (context, { form_ids, page }, fields): Promise<(Page<FormResponse> | Error)[]> =>
    readPagesByParent(
      context,
      formResponse.source,
      { parent: { column: 'r.form_id', type: 'int' }, keys: form_ids, page },
      fields,
    ),
});

/**
 * `GET /forms/{form_id}/responses`.
 *
 * @throws {ServiceError} `not_found` for the form; `invalid_cursor`.
 */
export const listFormResponses = defineOperation({
  name: 'listFormResponses',
  scope: 'form_responses.view',
  input: z
    .strictObject({ form_id: z.string(), ...listFields(formResponse, ONLY_ENTRY) })
    .superRefine(rejectFirstWithLast),
  run: async (context, input, fields): Promise<Page<FormResponse>> => {
    const formId = parseIntegerId(input.form_id);
    if (formId === undefined) throw notFound('Form', formIdProblem(input.form_id));
    const noFilters = { values: [], resolve: async () => ({ conditions: [] }) };
    const request = {
      parent: { idColumn: { column: 'r.form_id', type: 'int' } as const, key: formId },
      ...toListRequest(formResponse, ONLY_ENTRY, input, noFilters),
    };
    const responses = await readPage(context, formResponse.source, request, fields);
    if (responses.length > 0) return responses;
    const forms = await context.db.rows(sql`
      SELECT 1 FROM form WHERE organization_id = ${context.caller.organization.id} AND id = ${formId}::int`);
    if (forms.length === 0) throw notFound('Form');
    return responses;
  },
});
