import { isoDate, isoTimestamp, sql } from '../store/sql.ts';
import { defineFind } from './find.ts';
import { defineOperation } from './operation.ts';
import { listInput, type Page } from './page.ts';
import { type RecordSource, readPage } from './records.ts';
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

const columns = sql`
  s.id, s.title, s.description, s.schedule, ${isoDate('s.date')} AS date, ${isoDate('s.start_date')} AS start_date,
  ${isoDate('s.end_date')} AS end_date, s.start_time, s.end_time, s.frequency, coalesce(s.days, '{}') AS days, s.location, s.recurring_id,
  ${isoTimestamp('s.created_at')} AS created_at, ${isoTimestamp('s.updated_at')} AS updated_at`;

const services: RecordSource = { name: 'services', columns, from: sql`service s`, alias: 's' };

/** `GET /services`: search matches the title. */
export const listServices = defineOperation({
  scope: 'services.view',
  input: listInput,
  run: (context, input): Promise<Page<Service>> =>
    readPage<Service>(context, services, input, matchesSearch('s', input.search)),
});

/** Services by id. */
export const findServices = defineFind<Service>('services.view', services, 'svc');
