import { z } from 'zod';
import { isoTimestamp, sql } from '../store/sql.ts';
import { notFound } from './errors.ts';
import { defineFind } from './find.ts';
import { parseIntegerId } from './form.ts';
import { idOfAnotherKind, isId } from './ids.ts';
import type { JsonRecord } from './json-record.ts';
import { defineOperation } from './operation.ts';
import { type Page, windowInput } from './page.ts';
import { type RecordSource, readOne, readPagesOf } from './records.ts';

/** A form response as callers see it (specification, "Form response"). */
export interface FormResponse {
  readonly id: string;
  readonly form_id: number;
  readonly submitted_at: string;
  /** Keyed by form field id; the shape of a value follows the field's type. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The same in the order of the form's fields; those to fields that are no longer part of it come last. */
  readonly ordered_answers: readonly FormAnswer[];
}

/** An answer and the integer id of the form field that it answers. */
export interface FormAnswer {
  readonly field_id: number;
  readonly value: unknown;
}

const formResponses: RecordSource<FormResponse> = {
  name: 'form_responses',
  columns: {
    id: sql`r.id`,
    form_id: sql`r.form_id`,
    submitted_at: isoTimestamp('r.submitted_at'),
    answers: sql`r.answers`,
    ordered_answers: sql`(
      SELECT coalesce(
        json_agg(
          json_build_object('field_id', answer.key::int, 'value', answer.value) ORDER BY ff.ordinal, answer.key::int),
        '[]')
      FROM jsonb_each(r.answers) answer
      LEFT JOIN form_field ff
        ON ff.organization_id = r.organization_id AND ff.form_id = r.form_id AND ff.id::text = answer.key)`,
  },
  table: 'form_response',
  alias: 'r',
};

/** Form responses by id, whatever their form. */
export const findFormResponses = defineFind({
  name: 'FormResponse',
  scope: 'form_responses.view',
  source: formResponses,
  prefix: 'frs',
});

/** `GET /forms/{form_id}/responses/{response_id}`. An own response under another form is not found. */
export const getFormResponse = defineOperation({
  scope: 'form_responses.view',
  input: z.strictObject({ form_id: z.string(), id: z.string() }),
  run: async (context, { form_id, id }, fields): Promise<JsonRecord<FormResponse>> => {
    const formId = parseIntegerId(form_id);
    const response =
      formId !== undefined && isId('frs', id)
        ? await readOne(context, formResponses, sql`r.id = ${id} AND r.form_id = ${formId}::int`, fields)
        : undefined;
    if (!response) throw notFound('Form response', idOfAnotherKind('frs', id));
    return response;
  },
});

/** A page of the responses of each of several forms; one statement. */
export const listResponsesOfForms = defineOperation({
  scope: 'form_responses.view',
  input: z.strictObject({ form_ids: z.array(z.number()), window: windowInput }),
  run: (context, { form_ids, window }, fields): Promise<(Page<FormResponse> | Error)[]> =>
    readPagesOf(context, formResponses, { column: 'r.form_id', type: 'int' }, form_ids, window, fields),
});

/** `GET /forms/{form_id}/responses`. @throws {ServiceError} `not_found` for the form; `invalid_cursor`. */
export const listFormResponses = defineOperation({
  scope: 'form_responses.view',
  input: z.strictObject({ form_id: z.string(), window: windowInput }),
  run: async (context, { form_id, window }, fields): Promise<Page<FormResponse>> => {
    const formId = parseIntegerId(form_id);
    if (formId === undefined) throw notFound('Form');
    const [page] = await listResponsesOfForms(context, { form_ids: [formId], window }, fields);
    if (page instanceof Error) throw page;
    if (page && page.length > 0) return page;
    const forms = await context.db.rows(sql`
      SELECT 1 FROM form WHERE organization_id = ${context.caller.organization.id} AND id = ${formId}::int`);
    if (!page || forms.length === 0) throw notFound('Form');
    return page;
  },
});
