import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/client.ts';
import { times } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';

// Each message alone says what is wrong, where, and what to send instead. test/apis/messages.test.ts has those of both APIs.

const TAG = 'tag_01j00000000000000000000006';
const MEMBER_PARAMETERS =
  'q, limit, cursor, tag_id, department_id, designation_id, email_address, is_guest, updated_since, ids, order_by, count';
const ORDERS = 'must be one of entry, name, updated_at, with - before it for descending order, for example -updated_at';
const TIME_OR_DATE = 'must be a date and time with an offset, for example 2026-01-31T09:30:00Z, or a date, 2026-01-31';
const NO_SUCH_DATE = 'must be a date that exists in the calendar';
const PLUS = 'must have + written as %2B; in a URL, + means a space';
const ids = (count: number) => times(count, () => 'mem_01j00000000000000000000001').join();

onOneStore((service) => {
  const messageOf = ({ json }: Answer): string => json.error.message;

  describe('a query parameter', () => {
    it.each([
      ['tag_id[][]=a', 'tag_id: write tag_id=a,b, or repeat tag_id or tag_id[]'],
      [`order_by=${'-'.repeat(10_000)}a`, `order_by: ${ORDERS}`],
      ['foo=bar', `foo: unknown parameter; use ${MEMBER_PARAMETERS}`],
      ['isGuest=true', 'isGuest: unknown parameter; did you mean is_guest?'],
      ['Limit=5', 'Limit: unknown parameter; did you mean limit?'],
      ['tags=a', 'tags: unknown parameter; did you mean tag_id?'],
      ['email=a@example.org', 'email: unknown parameter; did you mean email_address?'],
      ['id=1', 'id: unknown parameter; did you mean ids?'],
      ['organization_id=1', `organization_id: unknown parameter; use ${MEMBER_PARAMETERS}`],
      ['page=2', 'page: unknown parameter; use cursor, with the next_cursor of the previous page'],
      ['pageSize=10', 'pageSize: unknown parameter; use limit'],
      ['sort=name', 'sort: unknown parameter; use order_by, with - before the name for descending order'],
      ['filter[is_guest]=true', 'filter[is_guest]: unknown parameter; did you mean is_guest?'],
      ['page[size]=10', 'page[size]: unknown parameter; use limit'],
      ['api_key=a', 'api_key: unknown parameter; send the API key in the header X-Api-Key only'],
      [
        'include=tags',
        'include: unknown parameter; related records are not included; the GraphQL API at /graphql reads them in one request',
      ],
      ['query=a', 'query: unknown parameter; use q, which searches several fields'],
      ['updated_after=2026-01-01', 'updated_after: unknown parameter; use updated_since'],
      ['limit=0', 'limit: must be an integer from 1'],
      ['limit=abc', 'limit: must be an integer from 1'],
      ['limit=1&limit=2', 'limit: must be given once'],
      ['email_address=a@example.org&email_address=b@example.org', 'email_address: must be given once'],
      ['updated_since=2026-01-01&updated_since=2026-01-02', 'updated_since: must be given once'],
      ['limit[]=5', 'limit: has one value; write limit=…'],
      ['ids[0]=a', 'ids: write ids=a,b, or repeat ids or ids[]'],
      ['count=1', 'count: must be true or false'],
      ['is_guest=yes', 'is_guest: must be true or false'],
      ['order_by=age', `order_by: ${ORDERS}`],
      ['order_by=name%20desc', `order_by: ${ORDERS}; did you mean -name?`],
      ['order_by=name:asc', `order_by: ${ORDERS}; did you mean name?`],
      ['order_by=--entry', `order_by: ${ORDERS}; did you mean -entry?`],
      ['order_by=-updatedAt', `order_by: ${ORDERS}; did you mean -updated_at?`],
      ['order_by=-created_at', `order_by: ${ORDERS}; did you mean -entry?`],
      ['updated_since=yesterday', `updated_since: ${TIME_OR_DATE}`],
      ['updated_since=2026-01-31T09:30:00', `updated_since: ${TIME_OR_DATE}`],
      ['updated_since=2026-02-30', `updated_since: ${NO_SUCH_DATE}`],
      ['updated_since=2026-01-31T09:30:00+01:00', `updated_since: ${PLUS}`],
      ['email_address=a+b@example.org', `email_address: ${PLUS}`],
      ['email_address=a%20b@example.org', 'email_address: must be an email address, for example name@example.org'],
      [`tag_id=1`, 'tag_id: "1" is not an id that begins with tag_ and has 30 characters'],
      [`ids=${TAG}`, `ids: "${TAG}" is not an id that begins with mem_ and has 30 characters`],
      [`ids=${ids(101)}`, 'ids: must be 1 to 100 ids'],
      ['q=a&search=b', 'search: is an alias of q; send only one of them'],
    ])('of members: %s', async (query, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(`/members?${query}`))).toBe(message);
    });

    it.each([
      ['/events?from=2026-05-01&until=2026-04-30', 'until: must not be before from, 2026-05-01'],
      ['/services?from=2026-05-01&until=2026-04-30', 'until: must not be before from, 2026-05-01'],
      ['/events?from=1.5.2026', 'from: must be a date, YYYY-MM-DD'],
      ['/events?from=2026-02-30', `from: ${NO_SUCH_DATE}`],
      ['/events?to=2026-05-01', 'to: unknown parameter; use until'],
      ['/forms?ids=form_1', 'ids: "form_1" is not an integer from 1'],
      ['/changes?resource=members', 'resource: unknown parameter; did you mean resources?'],
      [
        '/changes?resources=Member',
        'resources: must be one of designations, tags, members, departments, forms, form_responses, events, services, prayer_requests; did you mean members?',
      ],
      [
        '/members/search?q=a',
        'q: unknown parameter; GET /v1/members/{object_id} has no query parameters; GET /v1/members has it',
      ],
      ['/changes?since=2026-01-01', 'since: unknown parameter; use cursor, with the next_cursor of the last request'],
      ['/events?since=2026-01-01', 'since: unknown parameter; use from'],
      [
        '/members?cursor=2',
        'This cursor is not valid for this list, search, filter and order; send the next_cursor (GraphQL: endCursor) of the previous page unchanged, or no cursor',
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
    const resources =
      'members, prayer-requests, forms, events, services, departments, tags, designations, changes, organization';
    it.each([
      ['/attendance', `the resources under /v1 are ${resources}`],
      ['/__proto__', `the resources under /v1 are ${resources}`],
      [`/${'x'.repeat(5_000)}`, `the resources under /v1 are ${resources}`],
      ['/', `the resources under /v1 are ${resources}`],
      ['/prayer', 'did you mean /v1/prayer-requests?'],
      [
        '/people/1/groups',
        'the paths of members are /v1/members, /v1/members/{object_id}, /v1/members/{object_id}/tags',
      ],
      [
        '/members/1/groups',
        'the paths of members are /v1/members, /v1/members/{object_id}, /v1/members/{object_id}/tags',
      ],
    ])('that does not exist: %s', async (path, hint) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(path))).toBe(`There is nothing at this path; ${hint}`);
    });

    it('that does not support the method', async () => {
      const organization = await service.organization();
      expect(messageOf(await organization.request('PUT', '/members/1'))).toBe(
        '/v1/members/{object_id} does not support PUT; it supports GET, HEAD, PATCH, OPTIONS',
      );
    });

    it.each([
      ['/forms/form_1', 'Form not found; a form id is an integer, for example 12'],
      ['/forms/abc/responses', 'Form not found; a form id is an integer, for example 12'],
      [`/forms/${TAG}`, `Form not found; ${TAG} is not a form id`],
      ['/forms/form_1/responses/1', 'Form response not found; a form id is an integer, for example 12'],
      ['/forms/1/responses/1', 'Form response not found; a form response id begins with frs_ and has 30 characters'],
      ['/events/1', 'Event not found; an event id begins with evt_ and has 30 characters'],
      [`/events/${TAG}`, `Event not found; ${TAG} is not an event id`],
      ['/tags/volunteer', 'Tag not found; a tag id begins with tag_ and has 30 characters'],
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
