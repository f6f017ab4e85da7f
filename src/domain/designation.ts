import { sql } from '../store/sql.ts';
import { defineFind } from './find.ts';
import { defineList } from './list.ts';
import type { RecordSource } from './records.ts';
import { matchesSearch } from './search.ts';

/** A designation that members can have; its id is what `designation_id` takes. */
export interface Designation {
  readonly id: string;
  readonly name: string;
}

const designations: RecordSource<Designation> = {
  name: 'designations',
  columns: { id: sql`d.id`, name: sql`d.name` },
  table: 'designation',
  alias: 'd',
};

/** `GET /designations`: search matches the name. */
export const listDesignations = defineList({
  scope: 'members.view',
  source: designations,
  matches: (search) => matchesSearch('d', search),
});

/** Designations by id. */
export const findDesignations = defineFind({ scope: 'members.view', source: designations, prefix: 'dsg' });
