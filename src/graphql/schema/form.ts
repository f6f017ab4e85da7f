import { type ContactParts, type FieldType, type FormFieldOption, listForms } from '../../domain/form.ts';
import { pageArguments, projectionFor } from '../data/read.ts';
import { embeddedList, nestedConnection, readsColumns } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { addRootList, toConnection } from './connection.ts';
import { FormResponseConnectionType } from './form-response.ts';
import { FormFieldType, FormType } from './type-refs.ts';

const FieldTypeEnum = builder.enumType('FieldType', {
  description: 'The kinds of form fields, spelled as in REST.',
  values: {
    short_answer: { description: 'A line of text; the answer is a string.' },
    paragraph: { description: 'Text of several lines; the answer is a string.' },
    number: { description: 'A number; the answer is a number.' },
    email: { description: 'An email address; the answer is a string.' },
    dropdown: { description: 'One of the options from a list; the answer is a string.' },
    multiple_choice: { description: 'Any of the options; the answer is an array of strings.' },
    single_choice: { description: 'One of the options; the answer is a string.' },
    phone_number: { description: 'A phone number; the answer is a string.' },
    date: { description: 'A date; the answer is a string.' },
    time: { description: 'A time of day; the answer is a string.' },
    scale: { description: 'A place on a scale; the answer is a number.' },
    contact: { description: 'Contact data; the answer is an object with the collected parts.' },
    payment: { description: 'A payment; the answer is `{ amount, currency, status }`.' },
    file_upload: { description: 'Files; the answer is an array of `{ name, url, size }`.' },
  } satisfies Record<FieldType, { description: string }>,
});

const FormFieldOptionType = builder.objectRef<FormFieldOption>('FormFieldOption').implement({
  description: 'A choice of a form field.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The choice.' }),
    active: t.exposeBoolean('active', { description: 'Whether it can still be chosen.' }),
  }),
});

const ContactPartsType = builder.objectRef<ContactParts>('ContactParts').implement({
  description: 'Which parts a contact field collects.',
  fields: (t) => ({
    firstName: t.exposeBoolean('first_name', { description: 'Given name.' }),
    lastName: t.exposeBoolean('last_name', { description: 'Family name.' }),
    email: t.exposeBoolean('email', { description: 'Email address.' }),
    phone: t.exposeBoolean('phone', { description: 'Phone number.' }),
  }),
});

builder.objectType(FormFieldType, {
  description: 'A question of a form.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({ resolve: (field) => `field_${field.id}`, description: '`field_` and the integer id of REST.' }),
    fieldId: t.exposeInt('id', { description: 'The integer id of REST, the key of an answer.' }),
    question: t.exposeString('question', { description: 'The question.' }),
    fieldType: t.field({ type: FieldTypeEnum, description: 'Its kind.', resolve: (field) => field.field_type }),
    isRequired: t.exposeBoolean('is_required', { description: 'Whether it must be answered.' }),
    description: t.exposeString('description', { nullable: true, description: 'A word of explanation.' }),
    options: t.field({
      type: [FormFieldOptionType],
      nullable: true,
      description: 'The choices of `dropdown`, `single_choice` and `multiple_choice`; else null.',
      ...embeddedList,
      resolve: (field) => field.options,
    }),
    collects: t.field({
      type: ContactPartsType,
      nullable: true,
      description: 'The parts that a `contact` field collects; else null.',
      resolve: (field) => field.collects,
    }),
  }),
});

builder.objectType(FormType, {
  description: 'A form of the organization with its fields.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({ resolve: (form) => `form_${form.id}`, description: '`form_` and the integer id of REST.' }),
    formId: t.exposeInt('id', { ...readsColumns(), description: 'The integer id of REST.' }),
    title: t.exposeString('title', { description: 'Title.' }),
    description: t.exposeString('description', { nullable: true, description: 'What the form is for.' }),
    isPublished: t.exposeBoolean('isPublished', { description: 'Whether it is published.' }),
    acceptingResponse: t.exposeBoolean('acceptingResponse', { description: 'Whether it takes responses.' }),
    fields: t.field({
      type: [FormFieldType],
      description: 'Its questions, in order.',
      ...embeddedList,
      resolve: (form) => form.fields,
    }),
    responses: t.field({
      type: FormResponseConnectionType,
      nullable: true,
      description:
        'Its responses, oldest first. Scope: `form_responses.view`. Costs one point for each place in the query.',
      ...nestedConnection,
      args: t.arg.connectionArgs(),
      resolve: async ({ id }, args, { loaders }, info) => {
        const projection = projectionFor(info);
        const page = await loaders.responsesOfForm(id, pageArguments(args, projection), projection.fields);
        return toConnection(page, projection);
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the form was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the form was last changed.' }),
  }),
});

addRootList(FormType, {
  name: 'forms',
  one: 'A form',
  many: 'forms',
  list: listForms,
  description: 'The forms of the organization. Scope: `forms.view`.',
  search: 'Only forms whose title contains this text.',
});
