import { invalidRequest } from '../../../domain/core/errors.ts';
import { form } from '../../../domain/entities/form.ts';
import { type FormAnswer, formResponse, getFormResponse } from '../../../domain/entities/form-response.ts';
import { ENTITIES } from '../../../domain/entities/registry.ts';
import { submitFormResponse } from '../../../domain/forms/submit-form-response.ts';
import { MAX_AMOUNT } from '../../../domain/forms/submitted-answers.ts';
import { parseIntegerId } from '../../../domain/values/ids.ts';
import { embeddedList, extensions } from '../../data/field-extensions.ts';
import { recordLoaders } from '../../data/loaders.ts';
import { loadRecord, readRecord } from '../../raw-json/read.ts';
import { addConnection, addType, typeOf } from '../add-entity.ts';
import { builder } from '../builder.ts';
import { addRecordMutation } from '../mutation.ts';
import { answeredField, TypedAnswer } from './typed-answer.ts';

const FormAnswerType = builder.objectRef<FormAnswer>('FormAnswer').implement({
  description: 'An answer and its field.',
  fields: (t) => ({
    fieldId: t.exposeInt('field_id', {
      description: 'The integer id of the field, which is the key of the answer in REST.',
    }),
    value: t.expose('value', {
      type: 'JSON',
      nullable: true,
      description:
        'The answer; its JSON type depends on the `fieldType` of the field. `number`, `scale`: number. ' +
        '`multiple_choice`: array of strings. `contact`: object with the collected parts. ' +
        '`payment`: `{ amount, currency, status }`. `file_upload`: array of `{ name, url, size }`. All others: string.',
    }),
    field: t.field(answeredField),
  }),
});

const readsAnswers = extensions({ ...embeddedList, columns: ['orderedAnswers'] });

addType(formResponse, (t) => ({
  answers: t.field({
    type: [FormAnswerType],
    description: 'The answers, in the order of the form’s fields.',
    ...readsAnswers,
    resolve: ({ orderedAnswers }) => orderedAnswers,
  }),
  typedAnswers: t.field({
    type: [TypedAnswer],
    description:
      'The answers, in the order of the form’s fields, each as an object whose type depends on the type of the form field.',
    ...readsAnswers,
    resolve: ({ orderedAnswers }) => orderedAnswers,
  }),
  form: t.field({
    type: typeOf(form),
    nullable: true,
    description: 'The form. Scope: `forms.view`.',
    ...extensions({ scopes: ENTITIES.forms.find.scopes, columns: ['formId'] }),
    resolve: ({ formId }, _args, { loaders }, info) => loadRecord(loaders.get(recordLoaders.forms), formId, info),
  }),
}));

/** The type of a page of form responses. */
export const FormResponseConnectionType = addConnection(formResponse);

function responseInputOf({ formId, id }: { readonly formId?: unknown; readonly id?: unknown }) {
  return { form_id: String(formId), id };
}

builder.queryField('formResponse', (t) =>
  t.field({
    type: typeOf(formResponse),
    nullable: true,
    description:
      'The form response with this id. If it does not exist: null, with the error `not_found`. Scope: `form_responses.view`.',
    ...extensions({
      returnsRawJson: true,
      counterpart: {
        operation: getFormResponse,
        toArguments: ({ form_id, id }) => {
          const formId = parseIntegerId(String(form_id));
          return formId === undefined ? undefined : { formId, id };
        },
        toInput: responseInputOf,
      },
    }),
    args: {
      formId: t.arg.int({ required: true, description: 'The integer id of the form.' }),
      id: t.arg.id({ required: true, description: 'The response’s id.' }),
    },
    resolve: (_root, args, context, info) => readRecord(context, getFormResponse, responseInputOf(args), info),
  }),
);

const FormAnswerInput = builder.inputType('FormAnswerInput', {
  description: 'An answer to a field of a form.',
  fields: (t) => ({
    fieldId: t.int({ required: true, description: 'The integer id of the field.' }),
    value: t.field({
      type: 'JSON',
      required: false,
      description: `The answer, as \`FormAnswer.value\` returns it. Null does not count as an answer. The amount of a payment is from 0 to ${MAX_AMOUNT}.`,
    }),
  }),
});

addRecordMutation(
  formResponse,
  {
    name: 'submitFormResponse',
    operation: submitFormResponse,
    description:
      'Submits a response to a form. No notification is sent. Errors: `not_found`, `form_closed` (the form is not published or does not accept responses).',
  },
  {
    inputDescription: 'A response to a form.',
    payloadDescription: 'The new form response.',
    fields: (t) => ({
      formId: t.int({ required: true, description: 'The integer id of the form.' }),
      answers: t.field({ type: [FormAnswerInput], required: true, description: 'The answers: at most one per field.' }),
    }),
    toInput: ({ formId, answers }) => ({
      form_id: String(formId),
      response: { answers: answersById(answers as readonly GivenAnswer[]) },
    }),
    fromInput: ({ form_id, response }) => {
      const formId = parseIntegerId(String(form_id));
      const answers = Object.entries((response as { answers: object }).answers).map(([id, value]) => ({
        fieldId: parseIntegerId(id),
        value,
      }));
      const areIntegers = formId !== undefined && answers.every(({ fieldId }) => fieldId !== undefined);
      return areIntegers ? { formId, answers } : undefined;
    },
  },
);

interface GivenAnswer {
  readonly fieldId: number;
  readonly value?: unknown;
}

/**
 * Returns the answers keyed by the ids of their fields.
 *
 * @throws {ServiceError} `invalid_request` for a field that is answered twice.
 */
function answersById(answers: readonly GivenAnswer[]): Record<string, unknown> {
  const byId: Record<string, unknown> = {};
  for (const { fieldId, value } of answers) {
    if (Object.hasOwn(byId, fieldId))
      throw invalidRequest({ field: `answers.${fieldId}`, message: 'is answered twice' });
    byId[fieldId] = value;
  }
  return byId;
}
