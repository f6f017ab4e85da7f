import { isoDate, isoTimestamp, sql } from '../store/sql.ts';
import type { Columns } from './fields.ts';
import { defineFind } from './find.ts';
import { defineList } from './list.ts';
import type { RecordSource } from './records.ts';
import { matchesSearch } from './search.ts';

/** A recurring or dated gathering as callers see it (specification, "Service"). */
export interface Service {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly schedule: string | null;
  readonly date: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly frequency: string | null;
  readonly days: readonly string[];
  readonly location: string | null;
  readonly recurring_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const columns: Columns<Service> = {
  id: sql`s.id`,
  title: sql`s.title`,
  description: sql`s.description`,
  schedule: sql`s.schedule`,
  date: isoDate('s.date'),
  start_date: isoDate('s.start_date'),
  end_date: isoDate('s.end_date'),
  start_time: sql`s.start_time`,
  end_time: sql`s.end_time`,
  frequency: sql`s.frequency`,
  days: sql`coalesce(s.days, '{}')`,
  location: sql`s.location`,
  recurring_id: sql`s.recurring_id`,
  created_at: isoTimestamp('s.created_at'),
  updated_at: isoTimestamp('s.updated_at'),
};

const services: RecordSource<Service> = { name: 'services', columns, table: 'service', alias: 's' };

/** `GET /services`: search matches the title. */
export const listServices = defineList({
  scope: 'services.view',
  source: services,
  matches: (search) => matchesSearch('s', search),
});

/** Services by id. */
export const findServices = defineFind({ scope: 'services.view', source: services, prefix: 'svc' });
