import type { GraphQLResolveInfo } from 'graphql';
import { z } from 'zod';
import { type ContactParts, type FieldType, findFormFields, formField } from '../../../domain/entities/form-field.ts';
import type { FormAnswer } from '../../../domain/entities/form-response.ts';
import { parseAnswer } from '../../../domain/forms/form-answer.ts';
import { calendarDate } from '../../../domain/values/text.ts';
import type { Loaders } from '../../data/loaders.ts';
import { loadRecord } from '../../data/read.ts';
import { embeddedList, extensions, guardedBy } from '../../operation/field-extensions.ts';
import { builder } from '../builder.ts';
import { objectTypeOf } from '../entity-fields.ts';

/** `LocalTime` as graphql-scalars defines it. */
const LOCAL_TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{3})?)?$/;

const asIs = z.unknown();

/** The type of an answer by the type of its form field, with a schema that the value must match. */
const TYPES: Readonly<Record<FieldType, readonly [name: string, schema: z.ZodType]>> = {
  short_answer: ['TextAnswer', asIs],
  paragraph: ['TextAnswer', asIs],
  email: ['TextAnswer', asIs],
  phone_number: ['TextAnswer', asIs],
  number: ['NumberAnswer', asIs],
  scale: ['NumberAnswer', asIs],
  dropdown: ['ChoiceAnswer', asIs],
  single_choice: ['ChoiceAnswer', asIs],
  multiple_choice: ['ChoicesAnswer', asIs],
  date: ['DateAnswer', calendarDate],
  time: ['TimeAnswer', z.string().regex(LOCAL_TIME)],
  contact: ['ContactAnswer', asIs],
  payment: ['PaymentAnswer', asIs],
  file_upload: ['FilesAnswer', asIs],
};

/**
 * Returns the type name of an answer. Imported dates and times can be free text, and the form field may have been
 * removed from its form; the value then determines the type.
 */
function typeNameOf({ field_type: fieldType, value }: FormAnswer): string {
  const [name, schema] = (fieldType && TYPES[fieldType]) ?? [];
  if (fieldType && 'value' in parseAnswer(fieldType, value) && schema?.safeParse(value).success) return name as string;
  return typeof value === 'string' ? 'TextAnswer' : 'OtherAnswer';
}

/** Loads the form field of an answer; null if it is no longer part of the form. */
export function fieldOf({ field_id }: FormAnswer, { formFields }: Loaders, info: GraphQLResolveInfo) {
  return loadRecord(formFields, field_id, info);
}

const QUESTION_ONLY = { question: 'question' };

/** The parent with which a preflight checks nested fields. */
const SAMPLE = { field_id: 1 };

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
      ...guardedBy(findFormFields, extensions({ sample: SAMPLE })),
      resolve: async ({ field_id }, _args, { loaders }) =>
        (await loaders.formFields.load(field_id, QUESTION_ONLY))?.question ?? null,
    }),
    field: t.field({
      type: objectTypeOf(formField),
      nullable: true,
      description: 'The field that was answered; null if it is no longer part of the form. Scope: `forms.view`.',
      ...guardedBy(findFormFields, extensions({ sample: SAMPLE })),
      resolve: (answer, _args, { loaders }, info) => fieldOf(answer, loaders, info),
    }),
  }),
});

/** An answer with a JSON value of this shape. */
type Answer<Value> = FormAnswer & { readonly value: Value };

const answer = <Value>(name: string) => builder.objectRef<Answer<Value>>(name);

const interfaces = [TypedAnswer];

answer<string>('TextAnswer').implement({
  description:
    'An answer to a `short_answer`, `paragraph`, `email` or `phone_number` field. Also any other text that does not match the type of its field, for example an imported date that is not `YYYY-MM-DD`.',
  interfaces,
  fields: (t) => ({ text: t.string({ description: 'The text.', resolve: ({ value }) => value }) }),
});

answer<number>('NumberAnswer').implement({
  description: 'An answer to a `number` or `scale` field.',
  interfaces,
  fields: (t) => ({ number: t.float({ description: 'The number.', resolve: ({ value }) => value }) }),
});

answer<string>('ChoiceAnswer').implement({
  description: 'An answer to a `dropdown` or `single_choice` field.',
  interfaces,
  fields: (t) => ({ choice: t.string({ description: 'The chosen option.', resolve: ({ value }) => value }) }),
});

answer<readonly string[]>('ChoicesAnswer').implement({
  description: 'An answer to a `multiple_choice` field.',
  interfaces,
  fields: (t) => ({ choices: t.stringList({ description: 'The chosen options.', resolve: ({ value }) => value }) }),
});

answer<string>('DateAnswer').implement({
  description: 'An answer to a `date` field.',
  interfaces,
  fields: (t) => ({ date: t.field({ type: 'Date', description: 'The date.', resolve: ({ value }) => value }) }),
});

answer<string>('TimeAnswer').implement({
  description: 'An answer to a `time` field.',
  interfaces,
  fields: (t) => ({ time: t.field({ type: 'LocalTime', description: 'The time.', resolve: ({ value }) => value }) }),
});

answer<Readonly<Partial<Record<keyof ContactParts, string | null>>>>('ContactAnswer').implement({
  description: 'An answer to a `contact` field. Parts that the field does not collect are null.',
  interfaces,
  fields: (t) => ({
    firstName: t.string({ nullable: true, description: 'Given name.', resolve: ({ value }) => value.first_name }),
    lastName: t.string({ nullable: true, description: 'Family name.', resolve: ({ value }) => value.last_name }),
    email: t.string({ nullable: true, description: 'Email address.', resolve: ({ value }) => value.email }),
    phone: t.string({ nullable: true, description: 'Phone number.', resolve: ({ value }) => value.phone }),
  }),
});

answer<{ readonly amount: number; readonly currency: string; readonly status: string }>('PaymentAnswer').implement({
  description: 'An answer to a `payment` field.',
  interfaces,
  fields: (t) => ({
    amount: t.float({ description: 'The amount in units of the currency.', resolve: ({ value }) => value.amount }),
    currency: t.string({ description: 'The ISO 4217 code of the currency.', resolve: ({ value }) => value.currency }),
    status: t.string({ description: 'The status of the payment.', resolve: ({ value }) => value.status }),
  }),
});

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

answer<readonly AnswerFile[]>('FilesAnswer').implement({
  description: 'An answer to a `file_upload` field.',
  interfaces,
  fields: (t) => ({
    files: t.field({
      type: [AnswerFileType],
      description: 'The files.',
      ...embeddedList,
      resolve: ({ value }) => value,
    }),
  }),
});

answer<unknown>('OtherAnswer').implement({
  description:
    'An answer that is not text and does not match the type of its field, or whose field is no longer part of the form.',
  interfaces,
  fields: (t) => ({
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The answer as JSON.',
      resolve: ({ value }) => value,
    }),
  }),
});
