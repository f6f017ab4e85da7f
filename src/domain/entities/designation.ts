import { defineEntity } from '../definition/entity.ts';
import { id, recordTime, text } from '../definition/field.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import { findsIds, idProblem, isId } from '../values/ids.ts';
import { text as anyText } from '../values/text.ts';

/** Designations, an addition to the specification: their ids are what `designation_id` accepts. */
export const designation = defineEntity({
  name: 'Designation',
  plural: 'designations',
  description: 'A role or title of members. To set it for a member, send its id when you create or update the member.',
  scope: 'members.view',
  table: 'designation',
  alias: 'd',
  prefix: 'dsg',
  hasUniqueName: true,
  fields: {
    id: id('The designation’s id.', { example: 'dsg_01j00000000000000000000001' }),
    name: text('Name. Members with this designation have it as their `designation`.', {
      required: true,
      searchable: true,
      example: 'Senior Pastor',
    }),
  },
  fileFields: { created_at: recordTime('When the designation was created.') },
});

/** The id of a designation in an input. */
export const designationId = anyText(undefined, 'must be the id of a designation, a string').refine(
  (value) => isId('dsg', value),
  {
    error: ({ input }) => unknownDesignation(String(input)),
  },
);

/** Returns the message for an id that is not the id of a designation of the organization. */
export function unknownDesignation(value: string): string {
  const problem = idProblem('dsg', 'designation', value);
  return `unknown designation: ${problem ?? value}; ${findsIds('designations')}`;
}

/** `GET /designations`. */
export const listDesignations = defineList(designation);

/** `GET /designations/{id}`. */
export const getDesignation = defineGet(designation);
