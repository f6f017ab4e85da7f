import { describe, expect, it } from 'vitest';
import { CHANGE_RESOURCES } from '../../../src/domain/changes/changes.ts';
import { member } from '../../../src/domain/entities/member.ts';
import { alternatives } from '../../../src/domain/values/words.ts';
import { routes } from '../../../src/rest/routes.ts';
import type { Answer } from '../../support/client.ts';
import { times } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';

// Each message alone says what is wrong, where, and what to send instead. test/apis/messages.test.ts has those of both APIs.

const TAG = 'tag_01j00000000000000000000006';
const MEMBER_PARAMETERS =
  'q, limit, cursor, tag_id, department_id, designation_id, email_address, city, is_guest, updated_since, created_since, ids, order_by, count, include';
const ORDERS =
  'must be one of entry, created_at, name, updated_at, with - before it for descending order, for example -updated_at';
const TIME_OR_DATE = 'must be a date and time with an offset, for example 2026-01-31T09:30:00Z, or a date, 2026-01-31';
const NO_SUCH_DATE = 'must be a date that exists in the calendar, YYYY-MM-DD';
const PLUS = 'must have + written as %2B; in a URL, + means a space';
const WRITE_TAGS = 'write tag_id=a,b or tag_id=a&tag_id=b';
const WRITE_RESOURCES = WRITE_TAGS.replaceAll('tag_id', 'resources');
const SEARCH = `use q=…, which searches the ${alternatives(member.searchedFields.map((name) => name.replaceAll('_', ' ')))}`;
const ids = (count: number) => times(count, () => 'mem_01j00000000000000000000001').join();

const SEARCH_AND_FILTERS =
  'each list has its own search and filters, as in GET /v1/members?q=…; /openapi.json lists its parameters';

onOneStore((service) => {
  const messageOf = ({ json }: Answer): string => json.error.message;

  describe('a query parameter', () => {
    it.each([
      [
        `order_by=${'-'.repeat(10_000)}a`,
        `order_by: ${ORDERS}, not "---------------------------------------------------------------------------------------------------…"`,
      ],
      ['foo=bar', `foo: unknown parameter; use ${MEMBER_PARAMETERS}`],
      ['isGuest=true', 'isGuest: unknown parameter; did you mean is_guest?'],
      ['Limit=5', 'Limit: unknown parameter; did you mean limit?'],
      ['tags=a', 'tags: unknown parameter; use tag_id; GET /v1/tags lists the ids'],
      ['id=1', 'id: unknown parameter; did you mean ids?'],
      [
        'page=2',
        'page: unknown parameter; use cursor, with the next_cursor of the previous page; the first page has none',
      ],
      [
        'sort=name',
        'sort: unknown parameter; use order_by with - before the name for descending order, as in order_by=-entry; the names are entry, created_at, name, updated_at',
      ],
      [
        'filter[is_guest]=true',
        'filter[is_guest]: unknown parameter; did you mean is_guest? Write it without brackets',
      ],
      ['page[size]=10', 'page[size]: unknown parameter; use limit=10'],
      ['api_key=a', 'api_key: unknown parameter; send the API key in the header X-Api-Key only'],
      [
        'expand=tags',
        'expand: unknown parameter; use include=tags, the only records that can be included; the GraphQL API at /graphql reads others in one request',
      ],
      ['updated_after=2026-01-01', 'updated_after: unknown parameter; use updated_since=2026-01-01'],
      [
        `updated_after=2026-01-30T${'A'.repeat(3_000)}T1Z`,
        'updated_after: unknown parameter; use updated_since=2026-01-30',
      ],
      ['updated_at=gt:2026-01-10', 'updated_at: unknown parameter; use updated_since=2026-01-10'],
      [
        'updated_at=2026-01',
        'updated_at: unknown parameter; use updated_since with a date, such as updated_since=2026-01-31',
      ],
      [
        'created_after=2026-01-10T00:00:00%2B0200',
        'created_after: unknown parameter; use created_since=2026-01-10T00:00:00%2B02:00',
      ],
      [
        'updated_at_min=2026-01-10T08:30:00-05:00',
        'updated_at_min: unknown parameter; use updated_since=2026-01-10T08:30:00-05:00',
      ],
      [
        'created_after=2026-01-10T08:30',
        'created_after: unknown parameter; use created_since with an offset, such as created_since=2026-01-10T09:30:00Z',
      ],
      ['limit=0', 'limit: must be an integer from 1, for example 25, not 0'],
      ['limit=abc', 'limit: must be an integer from 1, for example 25, not "abc"'],
      ['limit=1&limit=2', 'limit: must be given once'],
      ['limit[]=5', 'limit: has one value; write limit=…'],
      ['ids[a]=a', 'ids: has no operators; several values are written ids=a,b or ids=a&ids=b'],
      ['count=1', 'count: must be true or false, not "1"'],
      ['order_by[name]=desc', 'order_by: has one value and no operators, as in order_by=-entry for descending order'],
      [
        'updated_since=2026-01-31T09:30:00%2B0100',
        'updated_since: must have a colon in its offset, as in +01:00 (in a URL, %2B01:00), not "2026-01-31T09:30:00+0100"',
      ],
      ['order_by=age', `order_by: ${ORDERS}, not "age"`],
      ['order_by=name%20desc', `order_by: ${ORDERS}, not "name desc"; did you mean -name?`],
      ['order_by=--entry', `order_by: ${ORDERS}, not "--entry"; did you mean -entry?`],
      ['order_by=-updatedAt', `order_by: ${ORDERS}, not "-updatedAt"; did you mean -updated_at?`],
      ['order_by=-createdAt', `order_by: ${ORDERS}, not "-createdAt"; did you mean -created_at?`],
      ['updated_since=yesterday', `updated_since: ${TIME_OR_DATE}, not "yesterday"`],
      ['updated_since=2026-01-31T09:30:00', `updated_since: ${TIME_OR_DATE}, not "2026-01-31T09:30:00"`],
      ['updated_since=2026-02-30', `updated_since: ${NO_SUCH_DATE}, not "2026-02-30"`],
      ['updated_since=2026-01-31T09:30:00+01:00', 'updated_since: must have + (in a URL, %2B) before its offset'],
      ['email_address=a+b@example.org', `email_address: ${PLUS}`],
      [
        'email_address=a%20b@example.org',
        'email_address: must be an email address, for example name@example.org, not "a b@example.org"',
      ],
      [
        `tag_id=1`,
        'tag_id: "1" is not an id that begins with tag_ and has 30 characters, for example tag_01j00000000000000000000001; GET /v1/tags?q=… (GraphQL: tags(search: …)) finds their ids',
      ],
      [
        `ids=${TAG}`,
        `ids: "${TAG}" is not an id that begins with mem_ and has 30 characters, for example mem_01j00000000000000000000001`,
      ],
      [`ids=${ids(101)}`, 'ids: must be 1 to 100 ids'],
      ['tag_id=a;b', `tag_id: "a;b" is not one value; ${WRITE_TAGS}`],
      ['tag_id=[a]', `tag_id: "[a]" is not one value; ${WRITE_TAGS}`],
      ['address=a', `address: unknown parameter; ${SEARCH}`],
      ['role=a', 'role: unknown parameter; use designation_id; GET /v1/designations lists the ids'],
      ['created_at[gte]=2026-01-31', 'created_at[gte]: unknown parameter; use created_since=2026-01-31'],
      ['updated_at[lt]=2026-01-31', 'updated_at[lt]: unknown parameter; no filter ends at a time'],
      ['-tag_id=a', '-tag_id: unknown parameter; no filter excludes records'],
      ['city[like]=a', 'city: has one value and no operators'],
      ['include_deleted=true', 'include_deleted: unknown parameter; only GET /v1/changes names removed records'],
      ['ids=', 'ids: has an empty value; leave it out, or write ids=a,b or ids=a&ids=b'],
      ['q=a&search=b', 'search: is an alias of q; send only one of them'],
    ])('of members: %s', async (query, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(`/members?${query}`))).toBe(message);
    });

    it.each([
      ['/members?upsert=true', 'upsert: unknown parameter; POST /v1/members has no query parameters'],
      [
        '/members?city=Riverton',
        'city: unknown parameter; POST /v1/members has no query parameters; send the fields in the JSON body',
      ],
    ])('of POST %s', async (path, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.post(path, {}))).toBe(message);
    });

    it.each([
      [
        '/events?date=today',
        'date: unknown parameter; use from with a date, such as from=2026-01-31 and until with a date, such as until=2026-01-31',
      ],
      ['/events?from=2026-05-01&until=2026-04-30', 'until: must not be before from, 2026-05-01'],
      ['/services?from=2026-05-01&until=2026-04-30', 'until: must not be before from, 2026-05-01'],
      ['/events?from=1.5.2026', 'from: must be a date, YYYY-MM-DD, for example 2026-01-31, not "1.5.2026"'],
      ['/events?from=2026-02-30', `from: ${NO_SUCH_DATE}, not "2026-02-30"`],
      ['/events?to=2026-05-01', 'to: unknown parameter; use until=2026-05-01'],
      ['/forms?ids=form_1', 'ids: "form_1" is not an integer from 1, for example 12'],
      [
        '/changes?resource=members',
        'resource: unknown parameter; use resources, the only filter, as in resources=members, with commas between several',
      ],
      [
        '/changes?resources=Member',
        `resources: must be one of ${CHANGE_RESOURCES.join(', ')}, not "Member"; did you mean members?`,
      ],
      [
        '/members/search?q=a',
        'q: unknown parameter; GET /v1/members has it; GET /v1/members/{object_id} has only include',
      ],
      [
        '/changes?since=2026-01-01',
        'since: unknown parameter; use cursor, the next_cursor of the last request, instead of a time; without cursor, the oldest change is first',
      ],
      [
        '/forms?status=open',
        'status: unknown parameter; use is_published=true; open forms also have accepting_response=true',
      ],
      [
        '/prayer-requests?answered=true',
        'answered: unknown parameter; use status with the text that records have, such as status=pending or status=answered',
      ],
      ['/events?updated_since=a', 'updated_since: unknown parameter; GET /v1/changes returns what changed'],
      ['/changes?q=a', 'q: unknown parameter; it has no search'],
      ['/changes?resources=members|tags', `resources: "members|tags" is not one value; ${WRITE_RESOURCES}`],
      ['/changes?resources=', `resources: has an empty value; leave it out, or ${WRITE_RESOURCES}`],
      ['/events?since=2026-01-01', 'since: unknown parameter; use from=2026-01-01 or created_since=2026-01-01'],
      [
        '/members?cursor=2',
        'This is not a cursor; send the next_cursor (GraphQL: endCursor) of the previous page unchanged, or no cursor for the first page',
      ],
    ])('of %s', async (path, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(path))).toBe(message);
    });

    it('accepts from and until of the same day', async () => {
      const organization = await service.organization();
      expect((await organization.get('/events?from=2026-05-01&until=2026-05-01')).status).toBe(200);
    });

    it.each(['/forms?ids=99999999999', `/members?ids=${ids(1)}`])(
      'of ids that do not exist is no error: %s',
      async (path) => {
        const organization = await service.organization();
        expect((await organization.get(path)).json.data).toEqual([]);
      },
    );
  });

  describe('a path', () => {
    const NO_PATH = `the lists are ${routes
      .filter(({ method, path }) => method === 'GET' && /^\/[a-z-]+$/.test(path) && path !== '/organization')
      .map(({ path }) => path.slice(1))
      .join(', ')}; GET /openapi.json lists the paths`;
    it.each([
      ['/attendance', NO_PATH],
      ['/__proto__', NO_PATH],
      [`/${'x'.repeat(5_000)}`, NO_PATH],
      ['/', NO_PATH],
      ['/prayer', 'did you mean /v1/prayer-requests?'],
      ['/people/1/groups', 'the GraphQL API at /graphql reads them: member(id: …) { departments { id name } }'],
      ['/members/1/labels', 'did you mean /v1/members/{object_id}/tags?'],
      ['/forms/1/submissions', 'did you mean /v1/forms/{form_id}/responses?'],
      ['/responses/1', 'did you mean /v1/forms/{form_id}/responses/{response_id}?'],
      ['/webhooks', 'webhooks are created on the page /developer; GET /v1/changes with wait=25 waits for changes'],
      ['/members//tags', 'an id is empty; did you mean /v1/members/{object_id}/tags?'],
      ['/search', SEARCH_AND_FILTERS],
      ['/roles', 'did you mean /v1/designations?'],
      ['/swagger.json', 'did you mean /openapi.json?'],
    ])('that does not exist is named: %s', async (path, hint) => {
      const organization = await service.organization();
      const sent = path.length > 90 ? `/v1${path.slice(0, 96)}…` : `/v1${path}`;
      expect(messageOf(await organization.get(path))).toBe(`There is no path ${sent}; ${hint}`);
    });

    const WRITES = {
      members:
        'the only requests that write members are POST /v1/members, PATCH /v1/members/{object_id}, PATCH /v1/members/{object_id}/tags',
      forms: 'forms can only be read; what belongs to them is written by POST /v1/forms/{form_id}/responses',
    };
    it.each([
      ['PUT', '/members/1/tags', WRITES.members],
      ['DELETE', '/members/1/tags', WRITES.members],
      [
        'POST',
        '/members/batch',
        `GET /v1/members?ids=a,b reads several records; a request writes one; ${WRITES.members}`,
      ],
      ['POST', '/members/search', SEARCH_AND_FILTERS],
      ['POST', '/members/mem_1', WRITES.members],
      ['POST', '/forms', WRITES.forms],
      ['PUT', '/members', WRITES.members],
      ['DELETE', '/members', WRITES.members],
      ['POST', '/forms/1', WRITES.forms],
      ['PATCH', '/forms/1/responses/1', 'the only request that writes responses is POST /v1/forms/{form_id}/responses'],
      ['POST', '/events', 'events can only be read'],
    ] as const)('that does not support %s names what to send instead: %s', async (method, path, hint) => {
      const organization = await service.organization();
      const message = messageOf(await organization.request(method, path));
      expect(message).toMatch(new RegExp(`^/v1/\\S+ does not support ${method}; it supports `));
      expect(message.endsWith(`; ${hint}`), message).toBe(true);
    });

    it.each([
      ['/forms/form_1', 'Form not found; "form_1" is not a form id, which is an integer, for example 12'],
      [
        '/forms/1/responses/1',
        'Form response not found; "1" is not a form response id, which begins with frs_ and has 30 characters, for example frs_01j00000000000000000000001',
      ],
      [
        `/events/${TAG}`,
        `Event not found; "${TAG}" is not an event id, which begins with evt_ and has 30 characters, for example evt_01j00000000000000000000001; GET /v1/events?q=… (GraphQL: events(search: …)) finds their ids`,
      ],
      [
        '/tags/volunteer',
        'Tag not found; "volunteer" is not a tag id, which begins with tag_ and has 30 characters, for example tag_01j00000000000000000000001; GET /v1/tags?q=… (GraphQL: tags(search: …)) finds their ids',
      ],
    ])('with an id of another kind: %s', async (path, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(path))).toBe(message);
    });

    it.each(['/members/mem_01j00000000000000000000001', '/forms/424242', '/forms/99999999999'])(
      'with the id of an unknown record has no further message: %s',
      async (path) => {
        const organization = await service.organization();
        expect(messageOf(await organization.get(path))).toMatch(/^(Member|Form) not found$/);
      },
    );
  });
});
