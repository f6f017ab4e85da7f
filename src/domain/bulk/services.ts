import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { MAX_SERVICE_DAYS } from '../limits.ts';
import { calendarDate, LONG, optionalText, requiredText } from '../text.ts';
import type { FieldKind } from './batch.ts';
import { exportedId, ownIdsWith } from './external-id.ts';
import { externalId, parserOf, times } from './input.ts';
import { columnsOf, newIdsWith, searchedBy } from './record-kind.ts';
import { defineRecords } from './records.ts';

const fields: Readonly<Record<string, FieldKind>> = {
  external_id: 'text',
  title: 'text',
  description: 'text',
  schedule: 'text',
  date: 'date',
  start_date: 'date',
  end_date: 'date',
  start_time: 'text',
  end_time: 'text',
  frequency: 'text',
  days: 'list',
  location: 'text',
  recurring_id: 'text',
  created_at: 'timestamp',
  updated_at: 'timestamp',
};

/** Services in bulk. */
export const bulkServices = defineRecords({
  name: 'services',
  record: 'Service',
  identity: { name: 'services', table: 'service', ownId: ownIdsWith('svc') },
  fields,
  parse: parserOf(
    z.strictObject({
      external_id: externalId,
      title: requiredText(),
      description: optionalText(LONG),
      schedule: optionalText(),
      date: calendarDate.nullish(),
      start_date: calendarDate.nullish(),
      end_date: calendarDate.nullish(),
      start_time: optionalText(),
      end_time: optionalText(),
      frequency: optionalText(),
      days: z
        .array(requiredText())
        .max(MAX_SERVICE_DAYS, { error: `must be at most ${MAX_SERVICE_DAYS} days` })
        .optional(),
      location: optionalText(),
      recurring_id: optionalText(),
      ...times,
    }),
  ),
  columns: columnsOf(fields),
  ...searchedBy('title'),
  times: ['created_at', 'updated_at'],
  defaults: { days: [] },
  newIds: newIdsWith('svc'),
  exported: (organizationId) => sql`
    SELECT ${exportedId('services', organizationId, sql`s.id`)} AS external_id, s.title, s.description, s.schedule,
      s.date, s.start_date, s.end_date, s.start_time, s.end_time, s.frequency, coalesce(s.days, '{}') AS days,
      s.location, s.recurring_id, s.created_at, s.updated_at
    FROM service s WHERE s.organization_id = ${organizationId} ORDER BY s.position`,
});
