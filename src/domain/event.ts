import { isoTimestamp, sql } from '../store/sql.ts';
import type { Columns } from './fields.ts';
import { defineFind } from './find.ts';
import { defineList } from './list.ts';
import type { RecordSource } from './records.ts';
import { matchesSearch } from './search.ts';

/** One day of an event. */
export interface EventDate {
  readonly date: string;
  readonly start_time: string | null;
  readonly end_time: string | null;
}

/** An event as callers see it (specification, "Event"). */
export interface Event {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly event_type: string | null;
  readonly location: string | null;
  readonly venue: string | null;
  readonly dates: readonly EventDate[];
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly maximum_participants: number | null;
  readonly participants: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const columns: Columns<Event> = {
  id: sql`e.id`,
  title: sql`e.title`,
  description: sql`e.description`,
  event_type: sql`e.event_type`,
  location: sql`e.location`,
  venue: sql`e.venue`,
  dates: sql`(
    SELECT coalesce(json_agg(json_build_object(
      'date', day->'date', 'start_time', day->'start_time', 'end_time', day->'end_time')), '[]')
    FROM jsonb_array_elements(e.dates) day)`,
  start_time: sql`e.start_time`,
  end_time: sql`e.end_time`,
  maximum_participants: sql`e.maximum_participants`,
  participants: sql`e.participants`,
  created_at: isoTimestamp('e.created_at'),
  updated_at: isoTimestamp('e.updated_at'),
};

const events: RecordSource<Event> = { name: 'events', columns, table: 'event', alias: 'e' };

/** `GET /events`: search matches the title. */
export const listEvents = defineList({
  scope: 'events.view',
  source: events,
  matches: (search) => matchesSearch('e', search),
});

/** Events by id. */
export const findEvents = defineFind({ scope: 'events.view', source: events, prefix: 'evt' });
