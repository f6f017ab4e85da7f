import { sql } from '../../store/sql.ts';
import { defineEntity } from '../definition/entity.ts';
import { date, id, longText, recordTime, text, texts } from '../definition/field.ts';
import { filtersByDays } from '../definition/filter.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import { MAX_SERVICE_DAYS } from '../values/limits.ts';

/** Services (specification, "Service"). */
export const service = defineEntity({
  name: 'Service',
  plural: 'services',
  description: 'A service of the organization: a gathering on one day or a recurring one.',
  scope: 'services.view',
  table: 'service',
  alias: 's',
  prefix: 'svc',
  fields: {
    id: id('The service’s id.', { example: 'svc_01j00000000000000000000005' }),
    title: text('Title.', { required: true, searchable: true, example: 'Youth Night' }),
    description: longText('What it is about.', { example: 'For ages 12 to 18: games, a talk and pizza.' }),
    schedule: text('Whether it takes place once or is recurring, free text.', { example: 'recurring' }),
    date: date('The date of a gathering on one day.'),
    start_date: date('The first day of a recurring gathering.', { example: '2026-01-16' }),
    end_date: date('The last day of a recurring gathering.', { example: '2026-12-18' }),
    start_time: text('The time at which it starts, for example `10:00`.', { example: '18:30' }),
    end_time: text('The time at which it ends.', { example: '20:30' }),
    frequency: text('How often it takes place.', { example: 'weekly' }),
    days: texts(MAX_SERVICE_DAYS, 'The days of the week on which it takes place.', {
      itemName: 'days',
      example: ['Friday'],
    }),
    location: text('Where it takes place.', { example: 'Youth Hall' }),
    recurring_id: text('The id of the series, shared by all its gatherings.', {
      example: 'rec_01j00000000000000000000005',
    }),
    created_at: recordTime('When the service was created.', { example: '2026-01-12T05:00:00.000Z' }),
    updated_at: recordTime('When the service was last updated.', { example: '2026-01-12T05:00:00.000Z' }),
  },
});

/** `GET /services`. */
const list = defineList(service, {
  filters: filtersByDays(
    'services',
    (from = '-infinity', until = 'infinity') => sql`(
      s.date BETWEEN ${from}::date AND ${until}::date
      OR (s.start_date IS NOT NULL OR s.end_date IS NOT NULL) AND ${from}::date <= ${until}::date
        AND coalesce(s.start_date, '-infinity') <= ${until}::date AND coalesce(s.end_date, 'infinity') >= ${from}::date
        AND coalesce(s.start_date, '-infinity') <= coalesce(s.end_date, 'infinity'))`,
  ),
  orders: {
    date: {
      description: 'By the date or the first day, and the time; services without a day come last.',
      keys: [
        { sql: sql`coalesce(s.date, s.start_date, '9999-12-31')`, type: 'date' },
        { sql: sql`left(coalesce(s.start_time, ''), 16) COLLATE "C"`, type: 'text' },
      ],
    },
  },
});

/** The operations of services in both APIs. */
export const serviceOperations = { list, get: defineGet(service) };
