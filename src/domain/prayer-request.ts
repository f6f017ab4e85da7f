import { z } from 'zod';
import { isoTimestamp, sql } from '../store/sql.ts';
import { noteWrite } from './audit.ts';
import { type Columns, selectionOf } from './fields.ts';
import { defineFind, defineGet } from './find.ts';
import { newId } from './ids.ts';
import { defineWrite } from './operation.ts';
import { emailAddress, LONG, optionalText, requiredText } from './text.ts';

/** A prayer request as callers see it (specification, "Prayer request"). */
export interface PrayerRequest {
  readonly id: string;
  readonly title: string | null;
  readonly description: string;
  readonly sender: string;
  readonly sender_email: string | null;
  readonly sender_phone: string | null;
  readonly status: string;
  readonly answered_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const columns: Columns<PrayerRequest> = {
  id: sql`p.id`,
  title: sql`p.title`,
  description: sql`p.description`,
  sender: sql`p.sender`,
  sender_email: sql`p.sender_email`,
  sender_phone: sql`p.sender_phone`,
  status: sql`p.status`,
  answered_at: isoTimestamp('p.answered_at'),
  created_at: isoTimestamp('p.created_at'),
  updated_at: isoTimestamp('p.updated_at'),
};

/** Who asks where nobody is named (specification, "Prayer request"). */
export const DEFAULT_SENDER = 'Anonymous';

/** The body of `POST /prayer-requests`; `sender_phone` is free text. */
export const newPrayerRequest = z
  .strictObject({
    description: requiredText(LONG).describe('What is asked for.'),
    title: optionalText().describe('Title.'),
    sender: optionalText().describe(`Who asks; \`${DEFAULT_SENDER}\` when left out.`),
    sender_email: emailAddress.nullish().describe('The sender’s email address.'),
    sender_phone: optionalText().describe('The sender’s phone number, free text.'),
  })
  .meta({ id: 'NewPrayerRequest', description: 'A new prayer request.' });

/** `POST /prayer-requests`: data only; nobody is notified. */
export const submitPrayerRequest = defineWrite({
  name: 'submitPrayerRequest',
  scope: 'prayer_requests.create',
  input: newPrayerRequest,
  run: async (context, input): Promise<PrayerRequest> => {
    const [request] = await context.db.write<PrayerRequest>(sql`
      WITH p AS (
        INSERT INTO prayer_request (organization_id, id, title, description, sender, sender_email, sender_phone)
        VALUES (${context.caller.organization.id}, ${newId('pry')}, ${input.title ?? null}, ${input.description},
          ${input.sender ?? DEFAULT_SENDER}, ${input.sender_email ?? null}, ${input.sender_phone ?? null})
        RETURNING *
      ), noted AS (${noteWrite(context, 'submitPrayerRequest', sql`p.id`, sql`p`)})
      SELECT ${selectionOf(columns, undefined)} FROM p`);
    return request as PrayerRequest;
  },
});

const byId = {
  scope: 'prayer_requests.view',
  source: { name: 'prayer_requests', columns, table: 'prayer_request', alias: 'p' },
  prefix: 'pry',
} as const;

/** Prayer requests by id. */
export const findPrayerRequests = defineFind<PrayerRequest>(byId);

/** `GET /prayer-requests/{id}`. */
export const getPrayerRequest = defineGet<PrayerRequest>(byId, 'Prayer request');
