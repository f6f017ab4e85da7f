import { onOneStore } from '../../../support/service.ts';
import { create, describeMessages, type Mistakes } from './mistakes.ts';

const MISTAKES: Mistakes = {
  'an unknown field': [
    ['{ members { items { id } } }', 'Cannot query field "items" on type "MemberConnection". Did you mean "nodes"?'],
    ['{ members { edges { nodes { id } } } }', 'Cannot query field "nodes" on type "MemberEdge". Did you mean "node"?'],
    [
      '{ members { nodes { first_name } } }',
      'Cannot query field "first_name" on type "Member". Did you mean "firstName"?',
    ],
    [
      '{ members { nodes { name } } }',
      'Cannot query field "name" on type "Member". Did you mean "firstName" or "lastName"?',
    ],
    ['{ members { id } }', 'Cannot query field "id" on type "MemberConnection". Did you mean "nodes { id }"?'],
    [
      '{ organization { name } }',
      'Cannot query field "organization" on type "Query". Did you mean "viewer { organization }"?',
    ],
    ['{ getMembers { id } }', 'Cannot query field "getMembers" on type "Query". Did you mean "member" or "members"?'],
    [
      '{ members { hasNextPage } }',
      'Cannot query field "hasNextPage" on type "MemberConnection". Did you mean "pageInfo { hasNextPage }"?',
    ],
    [
      '{ search(query: "a") { nodes { id } } }',
      'Cannot query field "search" on type "Query". It is an argument, as in "departments(search: …)".',
    ],
    [create('', 'id'), 'Cannot query field "id" on type "CreateMemberPayload". Did you mean "record { id }"?'],
    [
      '{ createMember }',
      'Cannot query field "createMember" on type "Query". Did you mean "mutation { createMember }"?',
    ],
    ['mutation { members }', 'Cannot query field "members" on type "Mutation". Did you mean "query { members }"?'],
    [
      '{ changes { totalCount } }',
      'Cannot query field "totalCount" on type "ChangeConnection". "ChangeConnection" has the fields edges, nodes, pageInfo.',
    ],
    [
      '{ viewer { organizationId } }',
      'Cannot query field "organizationId" on type "Viewer". Did you mean "organization"? "Viewer" has the fields expiresAt, key, keyName, organization, rateLimit, scopes.',
    ],
    [
      '{ members { nodes { tags { nodes { id } } } } }',
      'Cannot query field "nodes" on type "Tag". "Tag" has no pages; select its fields directly.',
    ],
    [
      '{ viewer { key { usage { nodes { day } } } } }',
      'Cannot query field "nodes" on type "ApiKeyUsageConnection". Did you mean "edges { node }"?',
    ],
    [
      '{ node(id: "x") { firstName } }',
      'Cannot query field "firstName" on type "Node". Write "... on Member { firstName }".',
    ],
    [
      '{ node(id: "x") { colour } }',
      'Cannot query field "colour" on type "Node". Select the fields of Department, Designation, Event, Form, FormField, FormResponse, Member, PrayerRequest, Service, Tag in fragments: "... on Department { … }".',
    ],
    [
      '{ members { nodes { status } } }',
      'Cannot query field "status" on type "Member". "Member" has the fields address, city, country, createdAt, dateOfBirth, departments, designation, designationId, emailAddress, firstName, gender, id, isGuest, lastName, maritalStatus, phoneNumber, state, tags, updatedAt, zipCode.',
    ],
    [
      '{ members { nodes { firstNam } } }',
      'Cannot query field "firstNam" on type "Member". Did you mean "firstName" or "lastName"? "Member" has the fields address, city, country, createdAt, dateOfBirth, departments, designation, designationId, emailAddress, firstName, gender, id, isGuest, lastName, maritalStatus, phoneNumber, state, tags, updatedAt, zipCode.',
    ],
    [
      '{ events { nodes { start } } }',
      'Cannot query field "start" on type "Event". Did you mean "dates" or "startTime"?',
    ],
    ['{ events { nodes { end } } }', 'Cannot query field "end" on type "Event". Did you mean "endTime"?'],
    ['{ events { nodes { date } } }', 'Cannot query field "date" on type "Event". Did you mean "dates"?'],
    [
      '{ services { nodes { start } } }',
      'Cannot query field "start" on type "Service". Did you mean "startDate" or "startTime"?',
    ],
    ['{ departments { nodes { title } } }', 'Cannot query field "title" on type "Department". Did you mean "name"?'],
    [
      '{ prayerRequests { nodes { state } } }',
      'Cannot query field "state" on type "PrayerRequest". Did you mean "status"?',
    ],
    ['{ forms { nodes { published } } }', 'Cannot query field "published" on type "Form". Did you mean "isPublished"?'],
    [
      '{ form(id: 1) { fields { choices } } }',
      'Cannot query field "choices" on type "FormField". Did you mean "options"?',
    ],
    ['{ members { nodes { sex } } }', 'Cannot query field "sex" on type "Member". Did you mean "gender"?'],
    ['{ user(id: "x") { id } }', 'Cannot query field "user" on type "Query". Did you mean "member"?'],
    [
      create('', 'user { id }'),
      'Cannot query field "user" on type "CreateMemberPayload". Did you mean "member" or "record"?',
    ],
    [
      'mutation { deleteMember(id: "x") { id } }',
      'Cannot query field "deleteMember" on type "Mutation". No mutation deletes records.',
    ],
    [
      '{ _service { sdl } }',
      'Cannot query field "_service" on type "Query". It exists only with GRAPHQL_FEDERATION=on.',
    ],
  ],
  'a field that stands elsewhere': [
    [
      '{ members { pageInfo { total } } }',
      'Cannot query field "total" on type "PageInfo". It is a field of lists, as in "departments { totalCount }".',
    ],
    [
      '{ members { pageInfo { count } } }',
      'Cannot query field "count" on type "PageInfo". It is a field of lists, as in "departments { totalCount }".',
    ],
    [
      '{ members { pageInfo { nodes { id } } } }',
      'Cannot query field "nodes" on type "PageInfo". It is a field of lists, as in "departments { nodes }".',
    ],
    [
      '{ totalCount }',
      'Cannot query field "totalCount" on type "Query". It is a field of lists, as in "departments { totalCount }".',
    ],
    [
      '{ edges { node { id } } }',
      'Cannot query field "edges" on type "Query". It is a field of lists, as in "departments { edges }".',
    ],
    [
      '{ viewer { organization { members { id } } } }',
      'Cannot query field "members" on type "Organization". Write it as a top-level field: "query { members }".',
    ],
    [
      '{ viewer { events { nodes { id } } } }',
      'Cannot query field "events" on type "Viewer". Write it as a top-level field: "query { events }".',
    ],
    [
      '{ formResponses { nodes { id } } }',
      'Cannot query field "formResponses" on type "Query". Did you mean "form(id: …) { responses }"?',
    ],
    [
      '{ viewer { key { usage { day } } } }',
      'Cannot query field "day" on type "ApiKeyUsageConnection". Did you mean "edges { node { day } }"?',
    ],
    [
      '{ viewer { key { auditEntries { operation } } } }',
      'Cannot query field "operation" on type "AuditEntryConnection". Did you mean "edges { node { operation } }"?',
    ],
    [
      '{ viewer { usage { edges { node { day } } } } }',
      'Cannot query field "usage" on type "Viewer". Did you mean "key { usage }"?',
    ],
    [
      'subscription { changes { nodes { id } } }',
      'Cannot query field "nodes" on type "Change". "Change" has no pages; select its fields directly.',
    ],
    [
      '{ node(id: "x") { nodes { id } } }',
      'Cannot query field "nodes" on type "Node". "Node" has no pages; select its fields directly.',
    ],
  ],
  'a selection': [
    [
      '{ members }',
      'Field "members" of type "MemberConnection" must have a selection of subfields. Did you mean "members { ... }"? "MemberConnection" has the fields edges, nodes, pageInfo, totalCount.',
    ],
  ],
  'a selection of a field without fields': [
    [
      '{ members { nodes { gender { name } } } }',
      'Field "gender" must not have a selection since type "Gender" has no subfields. Select "gender" without "{ … }".',
    ],
  ],
};

onOneStore((service) => describeMessages(service, MISTAKES));
