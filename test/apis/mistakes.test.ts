import { describe, expect, it } from 'vitest';
import { graphql } from '../support/graphql.ts';
import { onOneStore } from '../support/service.ts';

// Mistakes that developers bring from other APIs, each with what the answer must name so that it can be mended without
// documentation. The tests of messages have their whole texts.

const MEMBER = 'mem_01j00000000000000000000001';
const TAG = 'tag_01j00000000000000000000001';
const NAMES = '"first_name":"A","last_name":"B","email_address":"a@example.org"';

/** Requests to REST, with JSON bodies, and what their answers must name. */
const REST: Readonly<Record<string, readonly (readonly [request: string, named: string])[]>> = {
  'a path within a record': [
    [`GET /members/${MEMBER}/departments`, 'member(id: …) { departments { id name } }'],
    [`GET /members/${MEMBER}/groups`, 'departments'],
    [`GET /members/${MEMBER}/events`, 'a member has no events; GET /v1/events lists'],
    [`GET /members/${MEMBER}/forms`, 'a member has no forms; GET /v1/forms lists'],
    [`GET /members/${MEMBER}/notes`, 'a member has no notes; its fields are id, first_name'],
    [`GET /members/${MEMBER}/phone`, 'GET /v1/members/{object_id} returns phone_number'],
    [`GET /members/${MEMBER}/profile`, 'GET /v1/members/{object_id} returns all fields'],
    [`GET /members/${MEMBER}/history`, 'GET /v1/changes'],
    ['GET /events/evt_01j00000000000000000000001/attendees', 'an event has no attendees; its fields are'],
    ['GET /departments/dep_01j00000000000000000000001/members', '/v1/members?department_id=…'],
    ['GET /departments/dep_01j00000000000000000000001/head', 'head_of_department'],
    ['GET /departments/dep_01j00000000000000000000001/leader', 'head_of_department'],
    [`POST /tags/${TAG}/members {}`, 'PATCH /v1/members/{object_id}/tags'],
    ['GET /designations/dsg_01j00000000000000000000001/people', '/v1/members?designation_id=…'],
    ['GET /forms/1/questions', 'GET /v1/forms/{form_id} returns fields'],
    ['GET /forms/1/fields/2', 'GET /v1/forms/{form_id} returns fields'],
    [`POST /members/${MEMBER}/departments {}`, 'PATCH /v1/members/{object_id}'],
    [`PUT /members/${MEMBER}/tags/${TAG} {}`, 'PATCH /v1/members/{object_id}/tags'],
    ['PATCH /prayer-requests/pry_01j00000000000000000000001/answer {}', 'POST /v1/prayer-requests'],
  ],
  'a word in place of an id': [
    ['GET /members/count', 'GET /v1/members?limit=1&count=true'],
    ['GET /members/all', 'GET /v1/members?limit=100'],
    ['GET /members/list', 'GET /v1/members?limit=100'],
    ['GET /members/export.csv', 'GET /v1/members?limit=100'],
    ['GET /members/me', 'GET /v1/organization'],
    ['POST /members/new {}', 'POST /v1/members'],
    [`GET /members/${MEMBER},${MEMBER}`, 'GET /v1/members?ids=a,b'],
    ['GET /members/amara@example.org', 'GET /v1/members?email_address=…'],
    ['GET /members/by-email/amara@example.org', 'GET /v1/members?email_address=…'],
    ['GET /services/upcoming', 'GET /v1/services with the dates from and until'],
    ['GET /events/today', 'GET /v1/events with the dates from and until'],
    ['GET /members/stats', 'is not a member id'],
    ['GET /forms/1/responses/latest', 'GET /v1/forms/{form_id}/responses?order_by=-created_at'],
    ['GET /prayer-requests/answered', 'GET /v1/prayer-requests?status=…'],
    ['GET /tags/volunteer', 'GET /v1/tags?q=…'],
    ['PATCH /members/ {}', 'an id is empty; did you mean /v1/members/{object_id}?'],
  ],
  'a path that there is none for': [
    ['GET /forums', 'the lists are members, forms,'],
    ['GET /jobs', 'the lists are members, forms,'],
    ['GET /member-notes', 'the lists are members, forms,'],
    ['GET /event-registrations', 'the lists are members, forms,'],
    ['POST /events/create {}', 'events can only be read'],
    ['POST /events/evt_1/update {}', 'events can only be read'],
    ['POST /tags {}', 'tags can only be read; what belongs to them is written by PATCH /v1/members/{object_id}/tags'],
    ['POST /forms/1/publish {}', 'forms can only be read; what belongs to them is written by POST'],
    [`GET /members('${MEMBER}')`, '/v1/members/{object_id}'],
    ['GET /list_members', '/v1/members?'],
  ],
  'a path of another API': [
    ['GET /guests', 'GET /v1/members?is_guest=true'],
    ['GET /calendar', '/v1/events'],
    ['GET /customers', '/v1/members'],
    ['GET /people', '/v1/members'],
    ['GET /contact', '/v1/members'],
    ['GET /event', '/v1/events'],
    ['GET /teams', '/v1/departments'],
    ['GET /$metadata', '/openapi.json'],
    ['GET /docs', '/docs'],
    ['GET /keys', '/developer'],
    [`GET /members(${MEMBER})`, '/v1/members/{object_id}'],
    ['GET /members/$count', 'count=true'],
    ['POST /subscriptions {}', 'GET /v1/changes with wait=25'],
    ['GET /donations', 'the lists are members, forms,'],
    ['GET /sessions', 'the lists are members, forms,'],
    ['GET /activities', 'the lists are members, forms,'],
    ['GET /events/evt_01j00000000000000000000001/sessions', 'an event has no sessions; its fields are'],
  ],
  'a parameter of a list': [
    ['GET /members?where[email]=a@example.org', 'email_address'],
    ['GET /members?filter[tag]=volunteer', 'tag_id; GET /v1/tags lists the ids'],
    ['GET /members?tags.name=volunteer', 'tag_id'],
    ['GET /members?tag_name=volunteer', 'tag_id'],
    ['GET /members?text=a', 'q=smith'],
    ['GET /members?first_name__startswith=a', 'q=smith'],
    ['GET /members?_sort=name', 'order_by'],
    ['GET /members?$orderby=name', 'order_by'],
    ['GET /members?embed=tags', 'include=tags'],
    ['GET /members?include=departments', 'can only be tags; the GraphQL API at /graphql'],
    ['GET /members?$select=id', 'every field is returned'],
    ['GET /members?skip=5', 'cursor'],
    ['GET /members?since_id=5', 'cursor'],
    [
      'GET /members?before=x',
      'no filter ends at a time, and pages are read forwards only, with cursor; where there is order_by, order_by=-entry',
    ],
    ['GET /members?before=2026-01-01', 'no filter ends at a time'],
    ['GET /members?ending_before=x', 'pages are read forwards only'],
    ['GET /members?per_page=5', 'use limit=5'],
    ['GET /members?name[first]=a', 'q=smith'],
    ['GET /members?submitted_since=2026-01-01', 'created_since'],
    ['GET /members?updated_at[from]=2026-01-01', 'updated_since=2026-01-01'],
    ['GET /members?created_before=2026-01-01', 'no filter ends at a time'],
    ['GET /members?gender=Male', 'no parameter filters by gender'],
    ['GET /members?visitors=true', 'is_guest=true'],
    ['GET /members?from_id=1', 'cursor'],
    ['GET /members?last_updated=2026-01-01', 'updated_since=2026-01-01'],
    ['GET /services?date_range=2026-01-01', 'from=2026-01-01&until=2026-01-01'],
    ['GET /members?organization_id=1', 'the API key determines the organization'],
    ['GET /events?before=2026-01-01', 'until=2026-01-01'],
    ['GET /events?day_of_week=1', 'from, until'],
    ['GET /events?category=outreach', 'no parameter filters by event_type'],
    ['GET /events?include=tags', 'the GraphQL API at /graphql'],
    [`GET /events?tag_id=${TAG}`, 'a tag has no events'],
    ['GET /services?day=Sunday', 'no parameter filters by days'],
    [`GET /departments?member_id=${MEMBER}`, 'member(id: …) { departments'],
    [`GET /tags?member_id=${MEMBER}`, 'GET /v1/members/{object_id}/tags'],
    ['GET /tags?slug=volunteer', 'no parameter filters by slug'],
    ['GET /forms?open=true', 'is_published=true&accepting_response=true'],
    ['GET /forms/1/responses?sort=-submitted_at', 'the names are entry, created_at'],
    ['GET /prayer-requests?answered_at=null', 'no parameter filters by answered_at'],
    ['GET /forms/1/responses?q=a', 'it has no search'],
    ['GET /forms/1/responses?form_id=1', 'it is in the path already'],
    ['GET /prayer-requests?email=a@example.org', 'no parameter filters by sender_email'],
    ['GET /changes?type=members', 'resources=members,tags'],
    ['GET /events?starts_at[gte]=2026-01-01', 'from=2026-01-01'],
    ['GET /members?start=20', 'q, limit, cursor'],
    ['GET /events?event_id=1', 'did you mean ids?'],
  ],
  'a parameter that there is none for': [
    ['GET /members?candidate=true', 'use q, limit, cursor'],
    ['GET /members?after=2026-01-01', 'use q, limit, cursor'],
    ['GET /members?start_at=2026-01-01', 'use q, limit, cursor'],
    ['GET /events?start=20', 'use q, limit, cursor'],
    ['GET /changes?count=true', 'use limit, cursor, resources, wait'],
    ['GET /members?county=a', 'use q, limit, cursor'],
    ['GET /members?include_inactive=true', 'use q, limit, cursor'],
    ['GET /members?last_login_after=2026-01-01', 'use q, limit, cursor'],
    ['GET /members?created_by=jo', 'it is not stored who wrote a record'],
    ['GET /events?address=a', 'no parameter filters by location or venue'],
    ['GET /events?created_at[lte]=2026-01-01', 'no filter ends at a time'],
  ],
  'a value of a parameter': [
    ['GET /members?order_by=last_name', 'did you mean name?'],
    ['GET /members?count=10', 'limit is the size of a page'],
    ['GET /members?is_guest=', 'is_guest: has an empty value; leave it out'],
    ['GET /events?from=', 'from: has an empty value; leave it out'],
    ['GET /prayer-requests?status=', 'status: has an empty value; leave it out'],
    ['GET /members?city=%20', 'city: has an empty value; leave it out'],
    ['GET /members?updated_since=Mon%20Jan%2005%202026', 'must be a date and time with an offset'],
    ['GET /members?updated_since=2026-01-05%2010:00', 'must be a date and time with an offset'],
  ],
  'a body': [
    ['POST /prayer-requests {"prayer_request":{"description":"a"}}', 'directly, as in {"description": …}'],
    ['POST /prayer-requests {"data":{"attributes":{"description":"a"}}}', 'directly, as in {"description": …}'],
    [`POST /members {"data":[{${NAMES}}]}`, 'directly, as in {"first_name": …}'],
    ['POST /members {"records":[{"fields":{"first_name":"A"}}]}', 'directly, as in {"first_name": …}'],
    [`PATCH /members/${MEMBER} {"$set":{"city":"x"}}`, 'directly, as in {"city": …}'],
    [`PATCH /members/${MEMBER} {"object_id":"x"}`, 'object_id: is read-only; leave it out'],
    [`PATCH /members/${MEMBER}/tags {"tag_id":"x"}`, 'add or remove'],
    [`POST /members {${NAMES},"phone_number":"123"}`, 'it is too short for US (+1)'],
    [`POST /members {${NAMES},"phone_number":"+1 202 555 0100 000"}`, 'it is too long for US (+1)'],
    [`POST /members {${NAMES},"phone_number":"00442071234567"}`, '+ instead of 00'],
    ['POST /members {"firstName":"A","fname":"B"}', 'did you mean first_name?'],
    ['POST /prayer-requests {"text":"a","author":"b"}', 'did you mean sender?'],
    ['POST /prayer-requests {"description":"a","idempotency_key":"b"}', 'send it as the header Idempotency-Key'],
    [`POST /members {${NAMES},"title":"Dr"}`, 'members have no title'],
    [`POST /members {${NAMES},"country_code":"US"}`, 'use first_name, last_name'],
    [`POST /members {${NAMES},"spouse":{"first_name":"C"}}`, 'unknown field; use first_name, last_name'],
    [`POST /members {"first_name":"A","last_name":"B","emails":[{"address":"a@example.org"}]}`, 'email_address?'],
    ['POST /members {"frist_name":"A"}', 'did you mean first_name?'],
  ],
};

/** Operations of GraphQL, and what the first message must name. */
const GRAPHQL: Readonly<Record<string, readonly (readonly [document: string, named: string, variables?: object])[]>> = {
  'a place': [
    ['{ departments { nodes { members(filter: {}) { totalCount } } } }', 'members(filter: { departmentId: … }, …)'],
    ['{ tags { nodes { members(search: "a") { totalCount } } } }', 'members(filter: { tagId: … }, …)'],
    ['{ tag(slug: "a") { id } }', 'tags(search: …)'],
    ['{ members(filter: { ids: [] }) { totalCount } }', '"nodes"'],
    ['{ membersByDepartment(id: "a") { id } }', 'members(filter: { departmentId: … })'],
    ['{ countMembers }', 'members { totalCount }'],
    ['{ members { edges { name } } }', 'node { firstName }'],
    ['{ members { members { id } } }', '"nodes"'],
    ['subscription { changes(since: "2026-01-01") { id } }', 'continues after a cursor'],
    ['{ members { name } }', 'nodes { firstName }'],
    ['{ query { viewer { keyName } } }', 'before the first "{" only'],
    ['query members { nodes { id } }', 'members { nodes { … } }'],
  ],
  'a name': [
    ['{ Members { nodes { id } } }', '"members"'],
    ['{ members { nodes { group { name } } } }', '"departments"'],
    ['{ profile(id: "a") { id } }', '"member"'],
    ['{ searchMembers { id } }', '"members"'],
    ['{ groups { nodes { id } } }', '"departments"?'],
    [`{ member(objectId: "${MEMBER}") { id } }`, '"id"'],
    ['{ members { nodes { lastUpdated } } }', 'type "Member". "Member" has the fields'],
    ['{ members { nodes { emialAddress } } }', 'Did you mean "emailAddress"'],
    ['{ members { nodes { role } } }', '"designation"'],
    ['{ members(filter: { tagName: "a" }) { totalCount } }', '"tagId"'],
    ['{ members(filter: { not: { isGuest: true } }) { totalCount } }', 'no OR, and no NOT'],
    ['{ members(orderBy: { firstName: ASC }) { totalCount } }', 'field (CREATED_AT, ENTRY, NAME or UPDATED_AT)'],
    ['{ members(orderBy: { createdAt: DESC }) { totalCount } }', 'field: CREATED_AT'],
    [`mutation { updateMemberTags(input: { memberId: "${MEMBER}" }) { tags { id } } }`, 'Did you mean "id"?'],
    [`mutation { updateMember(memberId: "${MEMBER}") { record { id } } }`, 'input: { id: … }'],
    [`{ member(memberId: "${MEMBER}") { id } }`, 'Did you mean "id"?'],
    [`mutation { updateMemberTags(input: { id: "${MEMBER}", tagIds: [] }) { tags { id } } }`, '"add" or "remove"'],
    ['mutation { submitFormResponse(input: { id: 1, answers: [] }) { record { id } } }', '"formId"'],
    ['mutation { memberCreate { id } }', 'createMember, '],
  ],
  'a name that there is none for': [
    ['{ notes { id } }', '"Query" has the fields'],
    ['{ activities { id } }', '"Query" has the fields'],
    ['{ prayerRequests { nodes { memberId } } }', '"PrayerRequest" has the fields'],
    ['{ departments { nodes { lastName } } }', '"Department" has the fields'],
    ['{ members { nodes { county } } }', '"Member" has the fields'],
    ['{ changes { nodes { after } } }', '"Change" has the fields'],
    ['{ tags { nodes { notes } } }', '"Tag" has the fields'],
    ['{ items { id } }', 'members { nodes { id } }'],
    ['subscription { prayerRequestSubmitted { id } }', 'changes(resources: …)'],
    ['{ form(formId: 1) { id } }', 'Did you mean "id"?'],
    ['{ members { nodes { status } } }', '"Member" has the fields'],
    ['{ events { nodes { attendees { name } } } }', '"Event" has the fields'],
    ['{ formResponse(formId: 1, id: "a") { updatedAt } }', '"FormResponse" has the fields'],
    ['{ formResponse(formId: 1, id: "a") { status } }', '"FormResponse" has the fields'],
    ['{ formResponse(formId: 1, id: "a") { typedAnswers { value } } }', 'Only "answers { value }" has all values'],
    ['{ events(address: "a") { totalCount } }', '"Query.events" has the arguments'],
    [
      'mutation { submitFormResponse(input: { formId: 1, answers: [] }) { response { id } } }',
      'Did you mean "formResponse"?',
    ],
    [`mutation { updateMember(input: { id: "${MEMBER}", tagId: "a" }) { record { id } } }`, 'tagIds'],
  ],
  'a mutation': [
    ['mutation { createMember(firstName: "A") { record { id } } }', 'input: { firstName: … }'],
    ['mutation { createMember(input: { member: { firstName: "A" } }) { record { id } } }', 'directly in "input"'],
    ['mutation { createMember(input: { first_name: "A" }) { record { id } } }', '"firstName"'],
    [
      'mutation ($i: CreateMemberInput!) { createMember(input: $i) { record { id } } }',
      'directly in "input"',
      { i: { input: { firstName: 'A' } } },
    ],
    [
      'mutation ($i: CreateMemberInput!) { createMember(input: $i) { record { id } } }',
      'not its JSON in a string',
      { i: '{"firstName":"A"}' },
    ],
    [
      'mutation ($i: CreateMemberInput!) { createMember(input: $i) { record { id } } }',
      '"emailAddress"?',
      { i: { firstName: 'A', lastName: 'B', email: 'a@example.org' } },
    ],
  ],
  'a value': [
    [`mutation { updateMember(input: { id: "${MEMBER}", gender: "" }) { record { id } } }`, 'null to clear it'],
    [`{ member(id: ${MEMBER}) { id } }`, 'Write it in quotes.'],
    [`{ nodes(ids: "${MEMBER},${MEMBER}") { id } }`, 'nodes(ids: ["a", "b"])'],
    ['{ members(first: "10") { totalCount } }', 'without quotes'],
    ['query ($n: Int) { members(first: "$n") { totalCount } }', 'Write $n without quotes'],
    ['{ members(before: 10) { totalCount } }', 'value: 10. It is the "startCursor"'],
    ['query ($w: members_bool_exp) { members(where: $w) { totalCount } }', 'Declare it with the type of its argument'],
  ],
  'the syntax': [
    ['fragment F { id }', '"fragment Name on Member'],
    ['{ members { nodes { id } @client } }', 'directive after the name'],
    ['{ members { nodes { firstName as name } } }', 'name: firstName'],
    ['{ members { nodes { name: firstName + lastName } } }', 'no operators'],
    ['={{ $json.query }}', 'Templates are not filled in'],
    ['// members\n{ viewer { keyName } }', 'Comments begin with "#"'],
    ['{ members [first: 10] { nodes { id } } }', 'members(first: 5)'],
  ],
};

onOneStore((service) => {
  for (const [kind, mistakes] of Object.entries(REST)) {
    describe(`the answer of REST to a mistake in ${kind}`, () => {
      it.for(mistakes)('%s names %s', async ([sent, named]) => {
        const [, method = '', path = '', body] = /^(\S+) (\S+)(?: (.+))?$/.exec(sent) ?? [];
        const { request } = await service.organization({ country: 'US' });
        const headers = { 'Content-Type': 'application/json' };
        const { json } = await request(method, path, body === undefined ? {} : { body, headers });
        expect(json.error.message).toContain(named);
      });
    });
  }

  for (const [kind, mistakes] of Object.entries(GRAPHQL)) {
    describe(`the answer of GraphQL to a mistake in ${kind}`, () => {
      it.for(mistakes)('%s names %s', async ([query, named, variables]) => {
        const { json } = await graphql(service.app, (await service.organization()).key).post({ query, variables });
        expect(json.errors[0].message).toContain(named);
      });
    });
  }
});
