import { z } from 'zod';
import { integerId, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A form response (specification, "Form response"); `answers` is what the respondent gave, whole. */
export const formResponseRecord = defineRecord(
  z.object({
    id: text('The response’s id.'),
    form_id: integerId('The form’s id.'),
    submitted_at: moment('When it was submitted.'),
    answers: z.record(z.string(), z.unknown()).meta({
      description:
        'The answers, keyed by form field id. Texts, email, phone, date, time: string. `number`, `scale`: number. ' +
        '`dropdown`, `single_choice`: string. `multiple_choice`: array of strings. `contact`: object with the ' +
        'collected parts. `payment`: `{ amount, currency, status }`. `file_upload`: array of `{ name, url, size }`.',
    }),
  }),
  {
    id: 'FormResponse',
    description: 'A response to a form.',
    example: {
      id: 'frs_01j0000000000000000000000d',
      form_id: 2,
      submitted_at: '2026-01-10T22:00:00.000Z',
      answers: {
        '6': 'julian.dubois@example.org',
        '7': '+12025550199',
        '8': '1984-03-17',
        '9': 2,
        '10': 'Day guest',
        '11': '14:30',
        '12': { amount: 50, status: 'paid', currency: 'USD' },
        '13': [
          {
            url: 'https://files.example.org/uploads/frs_01j0000000000000000000000d/consent-form.pdf',
            name: 'consent-form.pdf',
            size: 345570,
          },
        ],
      },
    },
  },
);
