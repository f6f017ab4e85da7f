import { z } from 'zod';
import { moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A prayer request (specification, "Prayer request"). */
export const prayerRequestRecord = defineRecord(
  z.object({
    id: text('The prayer request’s id.'),
    title: text('Title.').nullable(),
    description: text('What is asked for.'),
    sender: text('Who asks; `Anonymous` where nobody was named.'),
    sender_email: text('The sender’s email address.').nullable(),
    sender_phone: text('The sender’s phone number, free text.').nullable(),
    status: text('Status; a new one is `pending`.'),
    answered_at: moment('When it was answered.').nullable(),
    created_at: moment('When it was submitted.'),
    updated_at: moment('When it was last changed.'),
  }),
  {
    id: 'PrayerRequest',
    description: 'A prayer request that was submitted to the organization.',
    example: {
      id: 'pry_01j00000000000000000000001',
      title: 'Surgery on Thursday',
      description: 'My mother has a hip operation this Thursday. Please pray for the surgeons and a calm recovery.',
      sender: 'Maeve Mwangi',
      sender_email: 'maeve.mwangi@example.org',
      sender_phone: '+12025550102',
      status: 'pending',
      answered_at: null,
      created_at: '2026-01-09T13:00:00.000Z',
      updated_at: '2026-01-09T13:00:00.000Z',
    },
  },
);
