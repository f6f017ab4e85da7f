import { connectionDialect } from './graphql.ts';

const MEMBER_FIELDS = `
  id: rowId firstName lastName emailAddress phoneNumber gender maritalStatus dateOfBirth address city state zipCode
  country designation: designationByDesignationId { name } isGuest createdAt updatedAt`;

const PAGE = 'pageInfo { hasNextPage endCursor }';

const DOCUMENTS = {
  list: `query List($first: Int!, $after: Cursor) {
    members: allMembers(first: $first, after: $after, orderBy: [POSITION_ASC]) {
      edges { node { ${MEMBER_FIELDS} } } ${PAGE} } }`,
  search: `query Search($search: String!) {
    members: searchMembers(search: $search, first: 25) { edges { node { ${MEMBER_FIELDS} } } ${PAGE} } }`,
  get: `query Get($id: String!) { member: memberByRowId(rowId: $id) { ${MEMBER_FIELDS} } }`,
  departments: `query Departments($after: Cursor) {
    departments: allDepartments(first: 20, after: $after, orderBy: [POSITION_ASC]) { edges { node { id: rowId name
      members: departmentMembersByDepartmentId(first: 10, orderBy: [POSITION_ASC]) { edges { node {
        member: memberByMemberId { id: rowId firstName lastName emailAddress
          tags: assignedTagsByMemberId(orderBy: [POSITION_ASC]) { edges { node { id: rowId name color } } } } } } } } } } }`,
  create: `mutation Create($input: JSON!) {
    createMember: addMember(input: { newMember: $input }) { member: result { ${MEMBER_FIELDS} } } }`,
};

/** PostGraphile's name of the order by position in its cursors. */
const ORDERS = { members: 'd15c9c3f5c', departments: 'c895ca9b81' };

/** PostGraphile's schema derived from tables, with aliases for the usual names where possible. */
export const postgraphile = connectionDialect({
  own: { documents: DOCUMENTS, input: (member) => member, usual },
  cursor: (_world, list, { position, id }) =>
    Buffer.from(JSON.stringify([ORDERS[list], String(position), id])).toString('base64'),
});

/** A designation by its name, and a link of a department by its member. */
function usual(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(usual);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    if (name === 'designation' && inner) return [name, inner.name];
    return [name, usual(name === 'node' && 'member' in inner ? inner.member : inner)];
  });
  return Object.fromEntries(entries);
}
