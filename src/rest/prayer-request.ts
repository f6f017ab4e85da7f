import { z } from 'zod';
import { formatted, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A prayer request (specification, "Prayer request"). */
export const prayerRequestRecord = defineRecord(
  z
    .object({
      id: text('The prayer request’s id.', 'pry_01j00000000000000000000001'),
      title: text('Title.', 'Surgery on Thursday').nullable(),
      description: text('What is asked for.', 'My mother has a hip operation this Thursday.'),
      sender: text('Who asks; `Anonymous` where nobody was named.', 'Maeve Mwangi'),
      sender_email: formatted('email', 'The sender’s email address.', 'maeve.mwangi@example.org').nullable(),
      sender_phone: text('The sender’s phone number, free text.', '+12025550102').nullable(),
      status: text('Status; a new one is `pending`.', 'pending'),
      answered_at: moment('When it was answered.', '2026-01-26T15:00:00.000Z').nullable(),
      created_at: moment('When it was submitted.', '2026-01-09T13:00:00.000Z'),
      updated_at: moment('When it was last changed.', '2026-01-09T13:00:00.000Z'),
    })
    .meta({ id: 'PrayerRequest', description: 'A prayer request that was submitted to the organization.' }),
);
