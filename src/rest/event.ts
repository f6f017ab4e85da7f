import { z } from 'zod';
import { count, day, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

const eventDate = z
  .object({
    date: day('The day.'),
    start_time: text('When it starts, for example `18:30`.').nullable(),
    end_time: text('When it ends.').nullable(),
  })
  .meta({ id: 'EventDate', description: 'One day of an event.' });

/** An event (specification, "Event"). */
export const eventRecord = defineRecord(
  z.object({
    id: text('The event’s id.'),
    title: text('Title.'),
    description: text('What it is about.').nullable(),
    event_type: text('Kind of event.').nullable(),
    location: text('Where it is.').nullable(),
    venue: text('The building or room.').nullable(),
    dates: z.array(eventDate).meta({ description: 'Its days.' }),
    start_time: text('When it starts, for example `18:30`.').nullable(),
    end_time: text('When it ends.').nullable(),
    maximum_participants: count('How many can take part; null where there is no limit.').nullable(),
    participants: count('How many take part.'),
    created_at: moment('When the event was made.'),
    updated_at: moment('When the event was last changed.'),
  }),
  {
    id: 'Event',
    description: 'An event of the organization.',
    example: {
      id: 'evt_01j00000000000000000000001',
      title: 'New Year Prayer Walk',
      description: 'Three miles, with stops to pray.',
      event_type: 'outreach',
      location: 'Sligo Creek Park, Takoma Park, MD 20912',
      venue: 'Picnic Area C',
      dates: [{ date: '2026-01-17', start_time: '09:30', end_time: '11:30' }],
      start_time: '09:30',
      end_time: '11:30',
      maximum_participants: 80,
      participants: 46,
      created_at: '2026-01-05T15:00:00.000Z',
      updated_at: '2026-01-09T19:00:00.000Z',
    },
  },
);
