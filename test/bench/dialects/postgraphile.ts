import type { Organization } from '../data-set.ts';
import type { Case } from '../workloads.ts';
import type { Dialect } from './dialect.ts';
import { answerOf, type Data, MEMBER_FIELDS, PAGE } from './graphql.ts';

const FIELDS = `${MEMBER_FIELDS.replace('designation', '')} designation: designationByOrganizationIdAndDesignationId { name }`;

const DOCUMENTS: Partial<Record<Case['kind'], string>> = {
  list: `query List($organization: String!, $first: Int!, $after: Cursor) {
    members: allMembers(condition: { organizationId: $organization }, first: $first, after: $after, orderBy: POSITION_ASC) {
      edges { node { ${FIELDS} } } ${PAGE} } }`,
  get: `query Get($organization: String!, $id: String!) {
    member: memberByOrganizationIdAndId(organizationId: $organization, id: $id) { ${FIELDS} } }`,
};

/** The names that PostGraphile derives from the tables. It cannot filter by parts of a text, nor order tags by their position. */
export const postgraphile: Dialect = {
  request: (asked, organization) => ({
    method: 'POST',
    path: '/graphql',
    body: {
      query: DOCUMENTS[asked.kind],
      variables: { organization: organization.id, ...variablesOf(asked, organization) },
    },
  }),
  answer: (_asked, body) => answerOf((body as { data: Data }).data, nameOf),
};

function variablesOf(asked: Case, { id: organization }: Organization): object {
  if (asked.kind === 'get') return { id: asked.id };
  if (asked.kind !== 'list') throw new Error('PostGraphile does not support this request');
  const { limit: first, after } = asked;
  const place = after && JSON.stringify(['position_asc', [after.position, organization, after.id]]);
  return { first, after: place && Buffer.from(place).toString('base64') };
}

/** A designation is an object here. */
function nameOf(value: object): unknown {
  const names = Object.keys(value);
  return names.length === 1 && names[0] === 'name' ? (value as { name: unknown }).name : undefined;
}
