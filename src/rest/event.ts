import { z } from 'zod';
import { count, day, field, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

const eventDate = z
  .object({
    date: day('The day.', '2026-01-17'),
    start_time: text('When it starts.', '09:30').nullable(),
    end_time: text('When it ends.', '11:30').nullable(),
  })
  .meta({ id: 'EventDate', description: 'One day of an event.' });

/** An event (specification, "Event"). */
export const eventRecord = defineRecord(
  z
    .object({
      id: text('The event’s id.', 'evt_01j00000000000000000000001'),
      title: text('Title.', 'New Year Prayer Walk'),
      description: text('What it is about.', 'Three miles, with stops to pray.').nullable(),
      event_type: text('Kind of event.', 'outreach').nullable(),
      location: text('Where it is.', 'Sligo Creek Park, Takoma Park, MD 20912').nullable(),
      venue: text('The building or room.', 'Picnic Area C').nullable(),
      dates: field(z.array(eventDate), 'Its days.', [{ date: '2026-01-17', start_time: '09:30', end_time: '11:30' }]),
      start_time: text('When it starts.', '09:30').nullable(),
      end_time: text('When it ends.', '11:30').nullable(),
      maximum_participants: count('How many can take part; null: any number.', 80).nullable(),
      participants: count('How many take part.', 46),
      created_at: moment('When the event was made.', '2026-01-05T15:00:00.000Z'),
      updated_at: moment('When the event was last changed.', '2026-01-09T19:00:00.000Z'),
    })
    .meta({ id: 'Event', description: 'An event of the organization.' }),
);
