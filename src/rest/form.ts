import { z } from 'zod';
import { FIELD_TYPES } from '../domain/form.ts';
import { flag, integerId, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

const option = z
  .object({
    value: text('The choice.'),
    active: flag('Whether it can still be chosen.'),
  })
  .meta({ id: 'FormFieldOption', description: 'A choice of a form field.' });

const contactParts = z
  .object({
    first_name: flag('Given name.'),
    last_name: flag('Family name.'),
    email: flag('Email address.'),
    phone: flag('Phone number.'),
  })
  .meta({ id: 'ContactParts', description: 'Which parts a `contact` field collects; null for other fields.' });

const formField = z
  .object({
    id: integerId('The field’s id: the key of its answer in a form response.'),
    question: text('The question.'),
    field_type: z.enum(FIELD_TYPES).meta({
      description: 'Its kind. The shape of an answer follows from it; see `answers` of a form response.',
    }),
    is_required: flag('Whether it must be answered.'),
    description: text('A word of explanation.').nullable(),
    options: z
      .array(option)
      .meta({ description: 'The choices of `dropdown`, `single_choice` and `multiple_choice`; else null.' })
      .nullable(),
    collects: contactParts.nullable(),
  })
  .meta({ id: 'FormField', description: 'A question of a form.' });

/** A form with its fields (specification, "Form" and "Form field"). */
export const formRecord = defineRecord(
  z.object({
    id: integerId('The form’s id.'),
    title: text('Title.'),
    description: text('What the form is for.').nullable(),
    is_published: flag('Whether it is published.'),
    accepting_response: flag('Whether it takes responses.'),
    fields: z.array(formField).meta({ description: 'Its questions, in order.' }),
    created_at: moment('When the form was made.'),
    updated_at: moment('When the form was last changed.'),
  }),
  {
    id: 'Form',
    description: 'A form of the organization with its fields.',
    example: {
      id: 5,
      title: 'Membership Class Sign-Up',
      description: 'By invitation: three evenings on what we believe and how we live together.',
      is_published: false,
      accepting_response: true,
      fields: [
        {
          id: 24,
          question: 'Who invited you?',
          field_type: 'short_answer',
          is_required: false,
          description: null,
          options: null,
          collects: null,
        },
        {
          id: 25,
          question: 'Your email address',
          field_type: 'email',
          is_required: true,
          description: null,
          options: null,
          collects: null,
        },
        {
          id: 26,
          question: 'Which class?',
          field_type: 'dropdown',
          is_required: false,
          description: null,
          options: [
            { value: 'March', active: true },
            { value: 'June', active: true },
            { value: 'October', active: true },
            { value: 'January', active: false },
          ],
          collects: null,
        },
      ],
      created_at: '2026-01-22T15:00:00.000Z',
      updated_at: '2026-01-25T23:00:00.000Z',
    },
  },
);
