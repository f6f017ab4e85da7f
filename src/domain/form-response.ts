import { z } from 'zod';
import { isoTimestamp, sql } from '../store/sql.ts';
import { notFound } from './errors.ts';
import { defineFind } from './find.ts';
import { parseIntegerId } from './form.ts';
import { defineOperation } from './operation.ts';
import { type Page, windowInput } from './page.ts';
import { type RecordSource, readPagesOf } from './records.ts';

/** A form response as callers see it (specification, "Form response"). */
export interface FormResponse {
  readonly id: string;
  readonly form_id: number;
  readonly submitted_at: string;
  /** Keyed by form field id; the shape of a value follows the field's type. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const formResponses: RecordSource = {
  name: 'form_responses',
  columns: sql`r.id, r.form_id, ${isoTimestamp('r.submitted_at')} AS submitted_at, r.answers`,
  from: sql`form_response r`,
  alias: 'r',
};

/** Form responses by id, whatever their form. */
export const findFormResponses = defineFind<FormResponse>('form_responses.view', formResponses, 'frs');

/** `GET /forms/{form_id}/responses/{response_id}`. An own response under another form is not found. */
export const getFormResponse = defineOperation({
  scope: 'form_responses.view',
  input: z.strictObject({ form_id: z.string(), id: z.string() }),
  run: async (context, { form_id, id }): Promise<FormResponse> => {
    const formId = parseIntegerId(form_id);
    const [response] = formId === undefined ? [] : await findFormResponses(context, [id]);
    if (response?.form_id !== formId || !response) throw notFound('Form response');
    return response;
  },
});

/** A page of the responses of each of several forms; one statement. */
export const listResponsesOfForms = defineOperation({
  scope: 'form_responses.view',
  input: z.strictObject({ form_ids: z.array(z.number()), window: windowInput }),
  run: (context, { form_ids, window }): Promise<(Page<FormResponse> | Error)[]> =>
    readPagesOf<FormResponse>(context, formResponses, { column: 'r.form_id', type: 'int' }, form_ids, window),
});

/** `GET /forms/{form_id}/responses`. @throws {ServiceError} `not_found` for the form; `invalid_cursor`. */
export const listFormResponses = defineOperation({
  scope: 'form_responses.view',
  input: z.strictObject({ form_id: z.string(), window: windowInput }),
  run: async (context, { form_id, window }): Promise<Page<FormResponse>> => {
    const formId = parseIntegerId(form_id);
    if (formId === undefined) throw notFound('Form');
    const [page] = await listResponsesOfForms(context, { form_ids: [formId], window });
    if (page instanceof Error) throw page;
    if (page && page.edges.length > 0) return page;
    const forms = await context.db.rows(sql`
      SELECT 1 FROM form WHERE organization_id = ${context.caller.organization.id} AND id = ${formId}::int`);
    if (!page || forms.length === 0) throw notFound('Form');
    return page;
  },
});
