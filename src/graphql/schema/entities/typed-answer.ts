import type { FieldMap, ObjectFieldBuilder } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { z } from 'zod';
import { type ContactParts, type FieldType, findFormFields, formField } from '../../../domain/entities/form-field.ts';
import type { FormAnswer } from '../../../domain/entities/form-response.ts';
import { parseAnswer } from '../../../domain/forms/form-answer.ts';
import { calendarDate } from '../../../domain/values/text.ts';
import type { GraphQLContext } from '../../data/context.ts';
import { embeddedList, extensions } from '../../data/field-extensions.ts';
import { formFieldLoader } from '../../data/loaders.ts';
import { loadRecord } from '../../raw-json/read.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { objectTypeOf } from '../entity-types.ts';

/** `LocalTime` as graphql-scalars defines it. */
const LOCAL_TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{3})?)?$/;

/** The type of an answer by the type of its form field. */
const TYPES: Readonly<Record<FieldType, string>> = {
  short_answer: 'TextAnswer',
  paragraph: 'TextAnswer',
  email: 'TextAnswer',
  phone_number: 'TextAnswer',
  number: 'NumberAnswer',
  scale: 'NumberAnswer',
  dropdown: 'ChoiceAnswer',
  single_choice: 'ChoiceAnswer',
  multiple_choice: 'ChoicesAnswer',
  date: 'DateAnswer',
  time: 'TimeAnswer',
  contact: 'ContactAnswer',
  payment: 'PaymentAnswer',
  file_upload: 'FilesAnswer',
};

/** Schemas that the text of an answer must match, by the type of its form field: imported answers can be free text. */
const TEXT_SCHEMAS: Readonly<Partial<Record<FieldType, z.ZodType>>> = {
  date: calendarDate,
  time: z.string().regex(LOCAL_TIME),
};

/**
 * Returns the type name of an answer. If the answer does not match the type of its form field, or the field has been
 * removed from its form, the value determines the type.
 */
function typeNameOf({ field_type: fieldType, value }: FormAnswer): string {
  const hasFieldType =
    fieldType &&
    'value' in parseAnswer(fieldType, value) &&
    (TEXT_SCHEMAS[fieldType]?.safeParse(value).success ?? true);
  if (hasFieldType) return TYPES[fieldType];
  return typeof value === 'string' ? 'TextAnswer' : 'OtherAnswer';
}

const QUESTION_ONLY = { question: 'question' };

const readsFormField = extensions({ scopes: findFormFields.scopes });

/** The options of a field with the form field of an answer. */
export const answeredField = {
  type: objectTypeOf(formField),
  nullable: true,
  description: 'The field that was answered; null if it is no longer part of the form. Scope: `forms.view`.',
  ...readsFormField,
  resolve: ({ field_id }: FormAnswer, _args: object, { loaders }: GraphQLContext, info: GraphQLResolveInfo) =>
    loadRecord(loaders.get(formFieldLoader), field_id, info),
} as const;

/** An answer whose value has a specific GraphQL type. */
export const TypedAnswer = builder.interfaceRef<FormAnswer>('TypedAnswer').implement({
  description:
    'An answer whose type depends on the `fieldType` of its field. Its value is also in `FormAnswer.value`, as JSON.',
  resolveType: (answer) => typeNameOf(answer as FormAnswer),
  fields: (t) => ({
    fieldId: t.exposeInt('field_id', { description: 'The integer id of the field.' }),
    question: t.string({
      nullable: true,
      description: 'The question; null if it is no longer part of the form. Scope: `forms.view`.',
      ...readsFormField,
      resolve: async ({ field_id }, _args, { loaders }) =>
        (await loaders.get(formFieldLoader).load(field_id, QUESTION_ONLY))?.question ?? null,
    }),
    field: t.field(answeredField),
  }),
});

/** Adds the type of answers with a JSON value of the shape `Value`. */
function addAnswerType<Value>(
  name: string,
  description: string,
  fields: (t: ObjectFieldBuilder<SchemaTypes, FormAnswer & { readonly value: Value }>) => FieldMap,
): void {
  const type = builder.objectRef<FormAnswer & { readonly value: Value }>(name);
  type.implement({ description, interfaces: [TypedAnswer], fields });
}

addAnswerType<string>(
  'TextAnswer',
  'An answer to a `short_answer`, `paragraph`, `email` or `phone_number` field. Also any other text that does not match the type of its field, for example an imported date that is not `YYYY-MM-DD`.',
  (t) => ({ text: t.string({ description: 'The text.', resolve: ({ value }) => value }) }),
);

addAnswerType<number>('NumberAnswer', 'An answer to a `number` or `scale` field.', (t) => ({
  number: t.float({ description: 'The number.', resolve: ({ value }) => value }),
}));

addAnswerType<string>('ChoiceAnswer', 'An answer to a `dropdown` or `single_choice` field.', (t) => ({
  choice: t.string({ description: 'The chosen option.', resolve: ({ value }) => value }),
}));

addAnswerType<readonly string[]>('ChoicesAnswer', 'An answer to a `multiple_choice` field.', (t) => ({
  choices: t.stringList({ description: 'The chosen options.', resolve: ({ value }) => value }),
}));

addAnswerType<string>('DateAnswer', 'An answer to a `date` field.', (t) => ({
  date: t.field({ type: 'Date', description: 'The date.', resolve: ({ value }) => value }),
}));

addAnswerType<string>('TimeAnswer', 'An answer to a `time` field.', (t) => ({
  time: t.field({ type: 'LocalTime', description: 'The time.', resolve: ({ value }) => value }),
}));

addAnswerType<Readonly<Partial<Record<keyof ContactParts, string | null>>>>(
  'ContactAnswer',
  'An answer to a `contact` field. Parts that the field does not collect are null.',
  (t) => ({
    firstName: t.string({ nullable: true, description: 'Given name.', resolve: ({ value }) => value.first_name }),
    lastName: t.string({ nullable: true, description: 'Family name.', resolve: ({ value }) => value.last_name }),
    email: t.string({ nullable: true, description: 'Email address.', resolve: ({ value }) => value.email }),
    phone: t.string({ nullable: true, description: 'Phone number.', resolve: ({ value }) => value.phone }),
  }),
);

addAnswerType<{ readonly amount: number; readonly currency: string; readonly status: string }>(
  'PaymentAnswer',
  'An answer to a `payment` field.',
  (t) => ({
    amount: t.float({ description: 'The amount in units of the currency.', resolve: ({ value }) => value.amount }),
    currency: t.string({ description: 'The ISO 4217 code of the currency.', resolve: ({ value }) => value.currency }),
    status: t.string({ description: 'The status of the payment.', resolve: ({ value }) => value.status }),
  }),
);

interface AnswerFile {
  readonly name: string;
  readonly url: string;
  readonly size: number;
}

const AnswerFileType = builder.objectRef<AnswerFile>('AnswerFile').implement({
  description: 'A file that was uploaded as an answer.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the file.' }),
    url: t.exposeString('url', { description: 'The URL of the file.' }),
    size: t.exposeFloat('size', { description: 'The size in bytes: a whole number, which can exceed `Int`.' }),
  }),
});

addAnswerType<readonly AnswerFile[]>('FilesAnswer', 'An answer to a `file_upload` field.', (t) => ({
  files: t.field({
    type: [AnswerFileType],
    description: 'The files.',
    ...extensions(embeddedList),
    resolve: ({ value }) => value,
  }),
}));

addAnswerType<unknown>(
  'OtherAnswer',
  'An answer that is not text and does not match the type of its field, or whose field is no longer part of the form.',
  (t) => ({
    value: t.expose('value', { type: 'JSON', nullable: true, description: 'The answer as JSON.' }),
  }),
);
