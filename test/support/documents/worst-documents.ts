import { DOCUMENT_LIMITS } from '../../../src/graphql/document/limits.ts';
import { times } from '../data.ts';

const MEMBER = `id firstName lastName emailAddress phoneNumber gender maritalStatus dateOfBirth address city state zipCode
  country designation isGuest createdAt updatedAt`;
const TAG = 'id name slug description category color';
const DEPARTMENT = 'id name membersCount createdAt updatedAt';
const RESPONSE = 'id formId submittedAt answers { fieldId value field { id question fieldType } }';
const FORM = 'id formId title description isPublished acceptingResponse createdAt updatedAt fields { id question }';
/** The maximum number of aliases. */
const MOST = DOCUMENT_LIMITS.aliases;
const pageInfo = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const page = (list: string, selection: string) => `${list} { edges { cursor node { ${selection} } } ${pageInfo} }`;
/** A document that selects a field under many aliases. */
export const named = (count: number, field: (n: number) => string) =>
  `{ ${times(count, (n) => `a${n}: ${field(n)}`).join(' ')} }`;

/** Queries close to the limits; if the limits reject one, now or later, that is accepted as well. */
export const WORST_DOCUMENTS: Record<string, string> = {
  'departments, members and tags, with every field': `{ ${page('departments(first: 20)', `${DEPARTMENT} memberIds ${page('members(first: 50)', `${MEMBER} tags { ${TAG} }`)}`)} }`,
  'the maximum of departments and members': `{ ${page('departments(first: 100)', `${DEPARTMENT} ${page('members(first: 100)', MEMBER)}`)} }`,
  'the last departments and members, with heads': `{ ${page('departments(last: 100)', `${DEPARTMENT} headOfDepartment { ${MEMBER} } ${page('members(last: 50)', MEMBER)}`)} }`,
  'members, their departments and the members of these': `{ ${page('members(first: 100)', `${MEMBER} departments { ${DEPARTMENT} ${page('members(first: 10)', MEMBER)} }`)} }`,
  'members, their departments, and so on over several levels': `{ ${page('members(first: 15)', `departments { ${DEPARTMENT} members(first: 2) { edges { node { departments { ${DEPARTMENT} members(first: 2) { edges { node { ${MEMBER} } } } } } } } }`)} }`,
  'members, departments, heads, departments, heads': `{ ${page('members(first: 10)', `departments { ${DEPARTMENT} headOfDepartment { departments { ${DEPARTMENT} headOfDepartment { departments { ${DEPARTMENT} } } } } }`)} }`,
  'members with tags and departments': `{ ${page('members(first: 90)', `${MEMBER} tags { ${TAG} } departments { ${DEPARTMENT} memberIds headOfDepartment { ${MEMBER} } }`)} }`,
  'forms and responses with the fields that were answered': `{ ${page('forms(first: 20)', `${FORM} ${page('responses(first: 40)', RESPONSE)}`)} }`,
  'forms, responses and their forms': `{ ${page('forms(first: 10)', `id ${page('responses(first: 50)', `${RESPONSE} form { ${FORM} }`)}`)} }`,
  'searches without matches': named(MOST, (n) => `members(search: "zz${n} nothing", first: 100) { edges { cursor } }`),
  'searches that match nearly all members': named(
    MOST,
    (n) => `members(search: "${'last'.slice(0, 1 + (n % 4))}", first: 100) { edges { node { id } } ${pageInfo} }`,
  ),
  'searches for phone numbers': named(
    MOST,
    (n) => `members(search: "+1 202 555 ${String(n).padStart(4, '0')}", first: 100) { edges { node { id } } }`,
  ),
  'pages of 100 members': named(MOST, () => 'members(first: 100) { edges { node { id emailAddress } } }'),
  'pages of departments with the ids of their members': named(
    10,
    () => `departments(first: 100) { edges { node { ${DEPARTMENT} memberIds } } }`,
  ),
  'pages of departments': named(MOST, () => `departments(first: 100) { edges { node { ${DEPARTMENT} } } }`),
  '1,000 fields of 100 members': `{ members(first: 100) { edges { node { ${MEMBER} ${'id firstName address '.repeat(320)} } } } }`,
  'a field under many aliases, of 100 members': `{ members(first: 100) { edges { node { ${times(MOST, (n) => `a${n}: address`).join(' ')} } } } }`,
  'the cursors of the maximum number of members':
    '{ departments(first: 100) { edges { node { members(first: 100) { edges { cursor } pageInfo { endCursor } } } } } }',
  'introspection, many times': `{ ${times(20, (n) => `a${n}: __schema { types { name description fields(includeDeprecated: true) { name description args { name type { name ofType { name } } } type { name ofType { name ofType { name } } } } } }`).join(' ')} }`,
};
