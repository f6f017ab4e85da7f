import { empty, raw, sql } from '../../store/sql.ts';
import { defineEntity } from '../definition/entity.ts';
import { count, date, id, longText, objects, recordTime, text } from '../definition/field.ts';
import { filtersByDays } from '../definition/filter.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import { MAX_EVENT_DAYS } from '../values/limits.ts';

/** A day of an event. */
const eventDate = {
  name: 'EventDate',
  description: 'A day of an event.',
  fields: {
    date: date('The date.', { required: true }),
    start_time: text('The time at which it starts, for example `18:30`.'),
    end_time: text('The time at which it ends.'),
  },
};

/** Events (specification, "Event"). */
export const event = defineEntity({
  name: 'Event',
  plural: 'events',
  description: 'An event of the organization.',
  scope: 'events.view',
  table: 'event',
  alias: 'e',
  prefix: 'evt',
  fields: {
    id: id('The event’s id.', { example: 'evt_01j00000000000000000000001' }),
    title: text('Title.', { required: true, searchable: true, example: 'New Year Prayer Walk' }),
    description: longText('What it is about.', { example: 'Three miles, with stops to pray.' }),
    event_type: text('The type of event, free text.', { example: 'outreach' }),
    location: text('Where it takes place.', { example: 'Sligo Creek Park, Takoma Park, MD 20912' }),
    venue: text('The building or room.', { example: 'Picnic Area C' }),
    dates: objects(
      eventDate,
      'The days of the event.',
      {
        default: [],
        itemName: 'days',
        example: [{ date: '2026-01-17', start_time: '09:30', end_time: '11:30' }],
      },
      MAX_EVENT_DAYS,
    ),
    start_time: text('The time at which it starts, for example `18:30`.', { example: '09:30' }),
    end_time: text('The time at which it ends.', { example: '11:30' }),
    maximum_participants: count('The maximum number of participants; null if there is none.', { example: 80 }),
    participants: count('The number of participants.', { default: 0, example: 46 }),
    created_at: recordTime('When the event was created.', { example: '2026-01-05T15:00:00.000Z' }),
    updated_at: recordTime('When the event was last updated.', { example: '2026-01-09T19:00:00.000Z' }),
  },
});

/** `GET /events`. */
const list = defineList(event, {
  filters: filtersByDays(
    'events',
    (from, until) => sql`EXISTS (
      SELECT FROM jsonb_array_elements(e.dates) day
      WHERE TRUE ${from ? sql`AND day->>'date' >= ${from}` : empty} ${until ? sql`AND day->>'date' <= ${until}` : empty})`,
  ),
  orders: {
    date: {
      description: 'By the first day and its time; events without days come last.',
      keys: [{ sql: raw('event_start(e.dates, e.start_time) COLLATE "C"'), type: 'text' }],
    },
  },
});

/** The operations of events in both APIs. */
export const eventOperations = { list, get: defineGet(event) };
