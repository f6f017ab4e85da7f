import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { auditWrite } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import { formClosed, invalidRequest, notFound } from '../core/errors.ts';
import { defineWrite } from '../core/operation.ts';
import { setUnknownFieldMessages } from '../core/parse-input.ts';
import { lockCounter, takeNumbers, writeInTransaction } from '../core/writes.ts';
import { type FormField, readFields } from '../entities/form-field.ts';
import { type FormAnswer, type FormResponse, formResponse } from '../entities/form-response.ts';
import { selectionOf } from '../records/records.ts';
import { formIdProblem, newId, parseIntegerId } from '../values/ids.ts';
import { answersObject } from './form-answer.ts';
import { checkAnswers, MAX_AMOUNT } from './submitted-answers.ts';

/** The maximum nesting depth of an answer: a list of objects. */
const MAX_ANSWER_DEPTH = 2;

/** The body of `POST /forms/{form_id}/responses`. */
const newFormResponse = z
  .strictObject({
    answers: answersObject
      .refine((answers) => Object.values(answers).every((answer) => isShallow(answer, MAX_ANSWER_DEPTH)), {
        error: 'must not have values that nest deeper than a list of objects',
      })
      .transform(withSortedKeys)
      .meta({
        type: 'object',
        additionalProperties: true,
        description: `The answers, keyed by form field id. The amount of a payment is from 0 to ${MAX_AMOUNT}.`,
      }),
  })
  .meta({ id: 'NewFormResponse', description: 'A response to a form.' });

setUnknownFieldMessages(newFormResponse, {
  'answered responses response data fields values': 'use answers, for example { "answers": { "12": "Yes" } }',
  'id submitted_at form_id': 'is set by the service; leave it out',
});

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1));
}

/** Sorts the keys of all objects in the answers: a retry of a request may have them in another order. */
function withSortedKeys(answers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    return typeof value === 'object' && value !== null ? withSortedKeys(value as Record<string, unknown>) : value;
  };
  const entries = Object.entries(answers).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, value]) => [name, sorted(value)]));
}

/**
 * `POST /forms/{form_id}/responses`, an addition to the specification. Stores the response; nobody is notified.
 *
 * @throws {ServiceError} `not_found` for the form; `form_closed` if it is not published or does not accept responses;
 *   `invalid_request` for answers that its fields do not allow.
 */
export const submitFormResponse = defineWrite({
  name: 'submitFormResponse',
  scope: 'form_responses.create',
  input: z.strictObject({ form_id: z.string(), response: newFormResponse }),
  record: { prefix: 'form', idOf: ({ form_id }) => `form_${form_id}` },
  storage: { pack: withoutRepeatedAnswers, unpack: withRepeatedAnswers },
  run: async (context, { form_id, response }): Promise<FormResponse> => {
    const formId = parseIntegerId(form_id);
    if (formId === undefined) throw notFound('Form', formIdProblem(form_id));
    return writeInTransaction(context, async (inTransaction) => {
      const { db, caller } = inTransaction;
      await db.rows(lockCounter(caller.organization.id));
      const fields = await lockOpenForm(inTransaction, formId);
      const checked = checkAnswers({ fields, country: caller.organization.country }, response.answers);
      if (Array.isArray(checked)) throw invalidRequest(...checked);
      return insertResponse(inTransaction, formId, checked.answers);
    });
  },
});

/** A response as stored with an Idempotency-Key: without `ordered_answers`, which repeats `answers`. */
interface StoredResponse extends Omit<FormResponse, 'ordered_answers'> {
  readonly ordered_answers: readonly Omit<FormAnswer, 'value'>[];
}

function withoutRepeatedAnswers({ ordered_answers, ...response }: FormResponse): StoredResponse {
  return { ...response, ordered_answers: ordered_answers.map(({ value: _, ...answer }) => answer) };
}

function withRepeatedAnswers(stored: unknown): FormResponse {
  const { ordered_answers, ...response } = stored as StoredResponse;
  const answers = response.answers as Readonly<Record<string, unknown>>;
  const repeated = ordered_answers.map((answer) => ({ ...answer, value: answers[answer.field_id] }));
  return { ...response, ordered_answers: repeated };
}

/**
 * Locks an open form until the transaction ends, and returns its fields. Imports lock the form before they change its
 * fields, so the fields do not change either.
 *
 * @throws {ServiceError} `not_found`; `form_closed`.
 */
async function lockOpenForm(context: Context, formId: number): Promise<readonly FormField[]> {
  const [form] = await context.db.rows<{ is_published: boolean; accepting_response: boolean }>(sql`
    SELECT is_published, accepting_response FROM form
    WHERE organization_id = ${context.caller.organization.id} AND id = ${formId}::int FOR SHARE`);
  if (!form) throw notFound('Form');
  if (!form.is_published) throw formClosed('it is not published; its organization must publish it');
  if (!form.accepting_response) throw formClosed('it is closed; its organization must open it');
  return readFields(context, formId);
}

async function insertResponse(context: Context, formId: number, answers: object): Promise<FormResponse> {
  const organizationId = context.caller.organization.id;
  const [created] = await context.db.rows<FormResponse>(sql`
    WITH numbers AS (${takeNumbers(organizationId, 1)}), r AS (
      INSERT INTO form_response (organization_id, id, form_id, position, answers)
      SELECT ${organizationId}, ${newId('frs')}, ${formId}::int, numbers.previous_number + 1, ${JSON.stringify(answers)}::jsonb FROM numbers
      RETURNING *
    ), audited AS (${auditWrite(context, 'submitFormResponse', sql`r.id`, sql`r`)})
    SELECT ${selectionOf(formResponse.source.columns, undefined)} FROM r`);
  return created as FormResponse;
}
