import { ENTITIES } from '../../../../src/domain/entities/registry.ts';
import { onOneStore } from '../../../support/service.ts';
import { create, describeHints, fieldsOf, type Mistakes, RECORD_TYPES } from './mistakes.ts';

const MUTATIONS = `"Mutation" has the fields ${fieldsOf('Mutation')}.`;

/** The list that messages name as an example: the first one by its name. */
const FIRST_LIST = Object.keys(ENTITIES).sort()[0];

const PAGES = 'Select a list, as in "members { nodes { id } }".';

const HINTS: Mistakes = {
  'an unknown field': [
    ['{ members { items { id } } }', 'Did you mean "nodes"?'],
    ['{ members { edges { nodes { id } } } }', 'Did you mean "node"?'],
    ['{ members { nodes { first_name } } }', 'Did you mean "firstName"?'],
    ['{ members { nodes { name } } }', 'Did you mean "firstName" or "lastName"?'],
    ['{ members { id } }', 'Did you mean "nodes { id }"?'],
    ['{ organization { name } }', 'Did you mean "viewer { organization }"?'],
    ['{ getMembers { id } }', 'Did you mean "member" or "members"?'],
    ['{ members { hasNextPage } }', 'Did you mean "pageInfo { hasNextPage }"?'],
    ['{ search(query: "a") { nodes { id } } }', `It is an argument, as in "${FIRST_LIST}(search: …)".`],
    [create('', 'id'), 'Did you mean "record { id }"?'],
    ['{ createMember }', 'Did you mean "mutation { createMember }"?'],
    ['mutation { members }', 'Did you mean "query { members }"?'],
    ['{ changes { totalCount } }', '"ChangeConnection" has the fields edges, nodes, pageInfo.'],
    [
      '{ viewer { organizationId } }',
      '"Viewer" has the fields expiresAt, key, keyName, organization, rateLimit, scopes.',
    ],
    ['{ members { nodes { tags { nodes { id } } } } }', 'There are no pages; select the fields directly.'],
    ['{ viewer { key { usage { nodes { day } } } } }', 'Did you mean "edges { node }"?'],
    ['{ node(id: "x") { firstName } }', 'Write "... on Member { firstName }".'],
    [
      '{ node(id: "x") { colour } }',
      `Select the fields of ${RECORD_TYPES.join(', ')} in fragments: "... on ${RECORD_TYPES[0]} { … }".`,
    ],
    ['{ members { nodes { status } } }', `"Member" has the fields ${fieldsOf('Member')}.`],
    ['{ members { nodes { firstNam } } }', 'Did you mean "firstName"?'],
    ['{ events { nodes { start } } }', 'Did you mean "dates" or "startTime"?'],
    ['{ events { nodes { end } } }', 'Did you mean "endTime"?'],
    ['{ events { nodes { date } } }', 'Did you mean "dates { date }"?'],
    ['{ services { nodes { start } } }', 'Did you mean "startDate" or "startTime"?'],
    ['{ departments { nodes { title } } }', 'Did you mean "name"?'],
    ['{ prayerRequests { nodes { state } } }', 'Did you mean "status"?'],
    ['{ forms { nodes { published } } }', 'Did you mean "isPublished"?'],
    ['{ form(id: 1) { fields { choices } } }', 'Did you mean "options"?'],
    ['{ members { nodes { sex } } }', 'Did you mean "gender"?'],
    ['{ user(id: "x") { id } }', 'Did you mean "member"?'],
    [create('', 'user { id }'), 'Did you mean "member"?'],
    ['mutation { deleteMember(id: "x") { id } }', MUTATIONS],
    ['mutation { addTagToMember(tagId: "x") { id } }', MUTATIONS],
    ['mutation { createTag { id } }', MUTATIONS],
    [
      '{ form(id: 1) { response(id: "x") { id } } }',
      'Write it as a top-level field: "formResponse(formId: …, id: …)".',
    ],
    ['{ services { nodes { members { id } } } }', '"Service" has none of its own; all are in "query { members }".'],
    [
      '{ memberByEmail(email: "x") { id } }',
      'Did you mean "members(filter: { emailAddress: … })" or "members(search: …)"?',
    ],
    ['{ viewer { name } }', 'Did you mean "keyName" or "organization { name }"?'],
    [
      'subscription { memberAdded { id } }',
      'Subscribe to "changes(resources: …)"; its "record" is the changed record.',
    ],
  ],
  'a field that stands elsewhere': [
    ['{ members { pageInfo { total } } }', 'Each list counts its records: "members { totalCount }".'],
    ['{ members { pageInfo { count } } }', 'Each list counts its records: "members { totalCount }".'],
    ['{ members { pageInfo { nodes { id } } } }', PAGES],
    ['{ totalCount }', 'Each list counts its records: "members { totalCount }".'],
    ['{ edges { node { id } } }', PAGES],
    ['{ viewer { organization { members { id } } } }', 'Write it as a top-level field: "query { members }".'],
    ['{ viewer { events { nodes { id } } } }', 'Write it as a top-level field: "query { events }".'],
    ['{ formResponses { nodes { id } } }', 'Select "form(id: …) { responses { … } }".'],
    ['{ viewer { key { usage { day } } } }', 'Did you mean "edges { node { day } }"?'],
    ['{ viewer { key { auditEntries { operation } } } }', 'Did you mean "edges { node { operation } }"?'],
    ['{ viewer { usage { edges { node { day } } } } }', 'Did you mean "key { usage }"?'],
    ['subscription { changes { nodes { id } } }', 'There are no pages; select the fields directly.'],
    ['{ node(id: "x") { nodes { id } } }', 'There are no pages; select the fields directly.'],
  ],
  'a selection': [
    [
      '{ members }',
      'Did you mean "members { ... }"? "MemberConnection" has the fields edges, nodes, pageInfo, totalCount.',
    ],
  ],
  'a selection of a field without fields': [
    ['{ members { nodes { gender { name } } } }', 'Select "gender" without "{ … }".'],
  ],
};

onOneStore((service) => describeHints(service, HINTS));
