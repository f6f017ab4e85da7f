import { invalidRequest } from '../../../domain/core/errors.ts';
import { form, getForm, listForms } from '../../../domain/entities/form.ts';
import { contactParts, formField, formFieldOption } from '../../../domain/entities/form-field.ts';
import {
  type FormAnswer,
  formResponse,
  getFormResponse,
  listFormResponses,
} from '../../../domain/entities/form-response.ts';
import { ENTITIES } from '../../../domain/entities/registry.ts';
import { submitFormResponse } from '../../../domain/forms/submit-form-response.ts';
import { MAX_AMOUNT } from '../../../domain/forms/submitted-answers.ts';
import { parseIntegerId } from '../../../domain/values/ids.ts';
import { embeddedList, extensions, nestedConnection } from '../../data/field-extensions.ts';
import { recordLoaders, responsesOfForm } from '../../data/loaders.ts';
import { loadRecord, readNestedConnection, readRecord } from '../../raw-json/read.ts';
import { builder } from '../builder.ts';
import { addRecordMutation } from '../entity-mutations.ts';
import { addConnection, addGet, addList } from '../entity-queries.ts';
import { addObjectType, addType, typeOf } from '../entity-types.ts';
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
const FormResponseConnectionType = addConnection(formResponse);

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

addObjectType(formFieldOption);
addObjectType(contactParts);
addObjectType(formField, {
  interfaces: [builder.nodeInterfaceRef()] as never,
  fields: (t) => ({
    id: t.id({
      resolve: ({ id }) => `field_${id}`,
      description: 'The integer id of the field in REST, with the prefix `field_`.',
    }),
    fieldId: t.exposeInt('id', { description: formField.fields.id.description }),
  }),
});

addType(form, (t) => ({
  id: t.id({
    resolve: ({ id }) => `form_${id}`,
    description: 'The integer id of the form in REST, with the prefix `form_`.',
  }),
  formId: t.exposeInt('id', { ...extensions({ columns: [] }), description: 'The integer id of the form in REST.' }),
  responses: t.field({
    type: FormResponseConnectionType,
    nullable: true,
    description:
      'Its responses, oldest first. Scope: `form_responses.view`. Costs one point per selection, regardless of the number of forms.',
    ...extensions({
      ...nestedConnection,
      counterpart: {
        operation: listFormResponses,
        // The list of REST can be reversed or limited to ids; here, `last` reads from its end, and `nodes` reads ids.
        toArguments: ({ form_id: _formId, ids, order_by: order, count: _count, ...page }) =>
          ids == null && order == null ? page : undefined,
        toInput: (args, formId) => ({ form_id: formId && toIntegerId(formId), ...args }),
        parent: { field: 'form', toArguments: ({ form_id }) => ({ id: form_id }) },
      },
    }),
    args: t.arg.connectionArgs(),
    resolve: ({ id }, args, context, info) => readNestedConnection(context, responsesOfForm, id, args, info),
  }),
}));
addList(form, listForms);
addGet(form, getForm, {
  description: 'The form’s id, or its integer id in REST.',
  toDomain: toIntegerId,
});

/** The integer id of REST for a form's id in either API. */
function toIntegerId(id: string): string {
  return id.replace(/^form_/, '');
}
