import { z } from 'zod';
import { day, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A service (specification, "Service"). */
export const serviceRecord = defineRecord(
  z.object({
    id: text('The service’s id.'),
    title: text('Title.'),
    description: text('What it is about.').nullable(),
    schedule: text('Whether it takes place once or again and again.').nullable(),
    date: day('The day of a single gathering.').nullable(),
    start_date: day('The first day of a recurring one.').nullable(),
    end_date: day('The last day of a recurring one.').nullable(),
    start_time: text('When it starts, for example `10:00`.').nullable(),
    end_time: text('When it ends.').nullable(),
    frequency: text('How often it takes place.').nullable(),
    days: z.array(z.string()).meta({ description: 'On which days of the week.' }),
    location: text('Where it is.').nullable(),
    recurring_id: text('Shared by the gatherings of one series.').nullable(),
    created_at: moment('When the service was made.'),
    updated_at: moment('When the service was last changed.'),
  }),
  {
    id: 'Service',
    description: 'A recurring or dated gathering of the organization.',
    example: {
      id: 'svc_01j00000000000000000000005',
      title: 'Youth Night',
      description: 'For ages 12 to 18: games, a talk and pizza.',
      schedule: 'recurring',
      date: null,
      start_date: '2026-01-16',
      end_date: '2026-12-18',
      start_time: '18:30',
      end_time: '20:30',
      frequency: 'weekly',
      days: ['Friday'],
      location: 'Youth Hall',
      recurring_id: 'rec_01j00000000000000000000005',
      created_at: '2026-01-12T05:00:00.000Z',
      updated_at: '2026-01-12T05:00:00.000Z',
    },
  },
);
