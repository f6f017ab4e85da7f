import { sql } from '../store/sql.ts';
import { defineFind } from './find.ts';
import { defineOperation } from './operation.ts';
import { listInput, type Page } from './page.ts';
import { type RecordSource, readPage } from './records.ts';
import { matchesSearch } from './search.ts';

/** A designation that members can have; its id is what `designation_id` takes. */
export interface Designation {
  readonly id: string;
  readonly name: string;
}

const designations: RecordSource = {
  name: 'designations',
  columns: sql`d.id, d.name`,
  from: sql`designation d`,
  alias: 'd',
};

/** `GET /designations`: search matches the name. */
export const listDesignations = defineOperation({
  scope: 'members.view',
  input: listInput,
  run: (context, input): Promise<Page<Designation>> =>
    readPage<Designation>(context, designations, input, matchesSearch('d', input.search)),
});

/** Designations by id. */
export const findDesignations = defineFind<Designation>('members.view', designations, 'dsg');
