import { z } from 'zod';
import { FIELD_TYPES } from '../domain/form.ts';
import { field, flag, integerId, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

const option = z
  .object({
    value: text('The choice.', 'A friend'),
    active: flag('Whether it can still be chosen.', true),
  })
  .meta({ id: 'FormFieldOption', description: 'A choice of a form field.' });

const contactParts = z
  .object({
    first_name: flag('Given name.', true),
    last_name: flag('Family name.', true),
    email: flag('Email address.', true),
    phone: flag('Phone number.', false),
  })
  .meta({ id: 'ContactParts', description: 'Which parts a `contact` field collects.' });

const formField = z
  .object({
    id: integerId('The field’s id: the key of its answer in a form response.', 3),
    question: text('The question.', 'How did you hear about us?'),
    field_type: field(
      z.enum(FIELD_TYPES),
      'Its kind. The shape of an answer follows from it; see `answers` of a form response.',
      'dropdown',
    ),
    is_required: flag('Whether it must be answered.', true),
    description: text('A word of explanation.', 'Choose the first one').nullable(),
    options: field(z.array(option), 'The choices of `dropdown`, `single_choice` and `multiple_choice`; else null.', [
      { value: 'A friend', active: true },
      { value: 'The newspaper', active: false },
    ]).nullable(),
    collects: contactParts.nullable(),
  })
  .meta({ id: 'FormField', description: 'A question of a form.' });

/** A form with its fields (specification, "Form" and "Form field"). */
export const formRecord = defineRecord(
  z
    .object({
      id: integerId('The form’s id.', 1),
      title: text('Title.', 'Visitor Welcome Card'),
      description: text('What the form is for.', 'Tell us who you are, and we will say hello.').nullable(),
      is_published: flag('Whether it is published.', true),
      accepting_response: flag('Whether it takes responses.', true),
      fields: z.array(formField).meta({ description: 'Its questions, in order.' }),
      created_at: moment('When the form was made.', '2026-01-06T15:00:00.000Z'),
      updated_at: moment('When the form was last changed.', '2026-01-06T15:00:00.000Z'),
    })
    .meta({ id: 'Form', description: 'A form of the organization with its fields.' }),
);
