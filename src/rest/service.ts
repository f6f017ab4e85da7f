import { z } from 'zod';
import { day, field, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A service (specification, "Service"). */
export const serviceRecord = defineRecord(
  z
    .object({
      id: text('The service’s id.', 'svc_01j00000000000000000000001'),
      title: text('Title.', 'Sunday Morning Worship'),
      description: text('What it is about.', 'Songs, prayer, a sermon, and coffee afterwards.').nullable(),
      schedule: text('Its schedule in words.', 'recurring').nullable(),
      date: day('The day of a single gathering.', '2026-04-03').nullable(),
      start_date: day('The first day of a recurring one.', '2026-01-11').nullable(),
      end_date: day('The last day of a recurring one.', '2026-12-18').nullable(),
      start_time: text('When it starts.', '09:00').nullable(),
      end_time: text('When it ends.', '10:15').nullable(),
      frequency: text('How often it takes place.', 'weekly').nullable(),
      days: field(z.array(z.string()), 'On which days of the week.', ['Sunday']),
      location: text('Where it is.', 'Main Sanctuary').nullable(),
      recurring_id: text('Shared by the gatherings of one series.', 'rec_01j00000000000000000000001').nullable(),
      created_at: moment('When the service was made.', '2026-01-05T13:00:00.000Z'),
      updated_at: moment('When the service was last changed.', '2026-01-05T13:00:00.000Z'),
    })
    .meta({ id: 'Service', description: 'A recurring or dated gathering of the organization.' }),
);
