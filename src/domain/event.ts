import { isoTimestamp, sql } from '../store/sql.ts';
import { defineFind } from './find.ts';
import { defineOperation } from './operation.ts';
import { listInput, type Page } from './page.ts';
import { type RecordSource, readPage } from './records.ts';
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

const columns = sql`
  e.id, e.title, e.description, e.event_type, e.location, e.venue, e.dates, e.start_time, e.end_time,
  e.maximum_participants, e.participants,
  ${isoTimestamp('e.created_at')} AS created_at, ${isoTimestamp('e.updated_at')} AS updated_at`;

const events: RecordSource = { name: 'events', columns, from: sql`event e`, alias: 'e' };

/** `GET /events`: search matches the title. */
export const listEvents = defineOperation({
  scope: 'events.view',
  input: listInput,
  run: (context, input): Promise<Page<Event>> =>
    readPage<Event>(context, events, input, matchesSearch('e', input.search)),
});

/** Events by id. */
export const findEvents = defineFind<Event>('events.view', events, 'evt');
