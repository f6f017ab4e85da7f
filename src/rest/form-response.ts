import { z } from 'zod';
import { field, integerId, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A form response (specification, "Form response"); `answers` is what the respondent gave, whole. */
export const formResponseRecord = defineRecord(
  z
    .object({
      id: text('The response’s id.', 'frs_01j00000000000000000000001'),
      form_id: integerId('The id of its form.', 1),
      submitted_at: moment('When it was submitted.', '2026-01-06T22:00:00.000Z'),
      answers: field(
        z.record(z.string(), z.unknown()),
        'The answers, keyed by form field id. Texts, email, phone, date, time: string. `number`, `scale`: number. ' +
          '`dropdown`, `single_choice`: string. `multiple_choice`: array of strings. `contact`: object with the ' +
          'collected parts. `payment`: `{ amount, currency, status }`. `file_upload`: array of `{ name, url, size }`.',
        {
          1: { first_name: 'Haruto', last_name: 'Thornbury', email: 'haruto.thornbury@example.com' },
          3: 'A sign or flyer',
          4: ['Small groups', 'Music', 'Serving'],
        },
      ),
    })
    .meta({ id: 'FormResponse', description: 'A response to a form.' }),
);
