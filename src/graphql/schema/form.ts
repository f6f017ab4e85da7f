import { type ContactParts, type FieldType, type FormFieldOption, listForms } from '../../domain/form.ts';
import { embeddedList, nestedConnection, readsColumns } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { addRootList, readNestedConnection } from './connection.ts';
import { FormResponseConnectionType } from './form-response.ts';
import { FormFieldType, FormType } from './type-refs.ts';

const FieldTypeEnum = builder.enumType('FieldType', {
  description: 'The types of form fields, with the same values as in REST.',
  values: {
    short_answer: { description: 'Single-line text; the answer is a string.' },
    paragraph: { description: 'Multi-line text; the answer is a string.' },
    number: { description: 'A number; the answer is a number.' },
    email: { description: 'An email address; the answer is a string.' },
    dropdown: { description: 'One of the options, chosen from a dropdown; the answer is a string.' },
    multiple_choice: { description: 'Any number of the options; the answer is an array of strings.' },
    single_choice: { description: 'One of the options; the answer is a string.' },
    phone_number: { description: 'A phone number; the answer is a string.' },
    date: { description: 'A date; the answer is a string.' },
    time: { description: 'A time of day; the answer is a string.' },
    scale: { description: 'A value on a scale; the answer is a number.' },
    contact: { description: 'Contact data; the answer is an object with the collected parts.' },
    payment: { description: 'A payment; the answer is `{ amount, currency, status }`.' },
    file_upload: { description: 'Files; the answer is an array of `{ name, url, size }`.' },
  } satisfies Record<FieldType, { description: string }>,
});

const FormFieldOptionType = builder.objectRef<FormFieldOption>('FormFieldOption').implement({
  description: 'An option of a form field.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The text of the option.' }),
    active: t.exposeBoolean('active', { description: 'Whether it can still be chosen.' }),
  }),
});

const ContactPartsType = builder.objectRef<ContactParts>('ContactParts').implement({
  description: 'The parts that a contact field collects.',
  fields: (t) => ({
    firstName: t.exposeBoolean('first_name', { description: 'Whether it collects the given name.' }),
    lastName: t.exposeBoolean('last_name', { description: 'Whether it collects the family name.' }),
    email: t.exposeBoolean('email', { description: 'Whether it collects the email address.' }),
    phone: t.exposeBoolean('phone', { description: 'Whether it collects the phone number.' }),
  }),
});

builder.objectType(FormFieldType, {
  description: 'A field of a form: a question.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({
      resolve: (field) => `field_${field.id}`,
      description: 'The integer id of REST with the prefix `field_`.',
    }),
    fieldId: t.exposeInt('id', { description: 'The integer id of REST, which is the key of its answer there.' }),
    question: t.exposeString('question', { description: 'The question.' }),
    fieldType: t.field({
      type: FieldTypeEnum,
      description: 'The type of the field.',
      resolve: (field) => field.field_type,
    }),
    isRequired: t.exposeBoolean('is_required', { description: 'Whether it must be answered.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Additional explanation of the question.',
    }),
    options: t.field({
      type: [FormFieldOptionType],
      nullable: true,
      description: 'The options of a `dropdown`, `single_choice` or `multiple_choice` field; otherwise null.',
      ...embeddedList,
      resolve: (field) => field.options,
    }),
    collects: t.field({
      type: ContactPartsType,
      nullable: true,
      description: 'The parts that a `contact` field collects; null for other types.',
      resolve: (field) => field.collects,
    }),
  }),
});

builder.objectType(FormType, {
  description: 'A form of the organization.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({ resolve: (form) => `form_${form.id}`, description: 'The integer id of REST with the prefix `form_`.' }),
    formId: t.exposeInt('id', { ...readsColumns(), description: 'The integer id of REST.' }),
    title: t.exposeString('title', { description: 'Title.' }),
    description: t.exposeString('description', { nullable: true, description: 'What the form is for.' }),
    isPublished: t.exposeBoolean('isPublished', { description: 'Whether it is published.' }),
    acceptingResponse: t.exposeBoolean('acceptingResponse', { description: 'Whether it accepts responses.' }),
    fields: t.field({
      type: [FormFieldType],
      description: 'Its fields, in order.',
      ...embeddedList,
      resolve: (form) => form.fields,
    }),
    responses: t.field({
      type: FormResponseConnectionType,
      nullable: true,
      description:
        'Its responses, oldest first. Scope: `form_responses.view`. Costs one point per selection, regardless of the number of forms.',
      ...nestedConnection,
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { loaders }, info) => readNestedConnection(loaders.responsesOfForm, id, args, info),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the form was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the form was last updated.' }),
  }),
});

addRootList(FormType, {
  name: 'forms',
  one: 'A form',
  many: 'forms',
  list: listForms,
  description: 'The forms of the organization. Scope: `forms.view`.',
  search: 'Returns only forms whose title contains every word of this text.',
});
