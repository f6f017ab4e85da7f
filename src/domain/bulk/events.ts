import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { MAX_EVENT_DAYS } from '../limits.ts';
import { calendarDate, LONG, optionalText, requiredText } from '../text.ts';
import type { FieldKind } from './batch.ts';
import { exportedId, ownIdsWith } from './external-id.ts';
import { externalId, parserOf, times } from './input.ts';
import { columnsOf, newIdsWith, searchedBy } from './record-kind.ts';
import { defineRecords } from './records.ts';

const MOST = 2_147_483_647;
const COUNT_ERROR = `must be a whole number from 0 to ${MOST}`;

const people = z
  .number({ error: COUNT_ERROR })
  .refine((value) => Number.isInteger(value) && value >= 0 && value <= MOST, {
    error: COUNT_ERROR,
  });

const day = z
  .strictObject({ date: calendarDate, start_time: optionalText(), end_time: optionalText() })
  .transform(({ date, start_time = null, end_time = null }) => ({ date, start_time, end_time }));

const fields: Readonly<Record<string, FieldKind>> = {
  external_id: 'text',
  title: 'text',
  description: 'text',
  event_type: 'text',
  location: 'text',
  venue: 'text',
  dates: 'dates',
  start_time: 'text',
  end_time: 'text',
  maximum_participants: 'integer',
  participants: 'integer',
  created_at: 'timestamp',
  updated_at: 'timestamp',
};

/** Events in bulk. */
export const bulkEvents = defineRecords({
  name: 'events',
  record: 'Event',
  identity: { name: 'events', table: 'event', ownId: ownIdsWith('evt') },
  fields,
  parse: parserOf(
    z.strictObject({
      external_id: externalId,
      title: requiredText(),
      description: optionalText(LONG),
      event_type: optionalText(),
      location: optionalText(),
      venue: optionalText(),
      dates: z
        .array(day)
        .max(MAX_EVENT_DAYS, { error: `must be at most ${MAX_EVENT_DAYS} days` })
        .optional(),
      start_time: optionalText(),
      end_time: optionalText(),
      maximum_participants: people.nullish(),
      participants: people.optional(),
      ...times,
    }),
  ),
  columns: columnsOf(fields),
  ...searchedBy('title'),
  times: ['created_at', 'updated_at'],
  defaults: { dates: [], participants: 0 },
  newIds: newIdsWith('evt'),
  exported: (organizationId) => sql`
    SELECT ${exportedId('events', organizationId, sql`e.id`)} AS external_id, e.title, e.description, e.event_type,
      e.location, e.venue, e.dates, e.start_time, e.end_time, e.maximum_participants, e.participants, e.created_at,
      e.updated_at
    FROM event e WHERE e.organization_id = ${organizationId} ORDER BY e.position`,
});
