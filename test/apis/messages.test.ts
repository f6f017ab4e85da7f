import { describe, expect, it } from 'vitest';
import { graphql } from '../support/graphql.ts';
import { onOneStore } from '../support/service.ts';

// Messages that help a developer to correct a request; codes and shapes of errors have separate tests.

onOneStore((service) => {
  /** The status and the error body of a request. */
  async function constraintError(path: string, init: RequestInit = {}) {
    const response = await service.app.fetch(new Request(`http://service.test${path}`, init));
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return { status: response.status, ...error };
  }

  async function withKey() {
    const { key } = await service.organization();
    const json = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    return {
      key,
      bodyMessage: async (body: string) =>
        (await constraintError('/v1/members', { method: 'POST', headers: json, body })).message,
    };
  }

  describe('of an unknown path', () => {
    it.each([
      ['/v1/members/', '/v1/members, without the / at its end'],
      ['/v1//members', '/v1/members'],
      ['/members', '/v1/members'],
      ['/v1/Members', '/v1/members'],
      ['/v1/prayerRequests', '/v1/prayer-requests'],
      ['/prayer_requests/', '/v1/prayer-requests, without the / at its end'],
      ['/v1/member', '/v1/members'],
      ['/v1/members/mem_1/Tags', '/v1/members/{object_id}/tags'],
      ['/v1/forms/7/responses/', '/v1/forms/{form_id}/responses, without the / at its end'],
      ['/v1/members.json', '/v1/members'],
      ['/api/v1/members', '/v1/members'],
      ['/v2/members', '/v1/members'],
      ['/v1/graphql', '/graphql'],
      ['/GraphQL', '/graphql'],
      ['/gql', '/graphql'],
      ['/v1/openapi.json', '/openapi.json'],
      ['/v1/people', '/v1/members'],
      ['/v1/groups/1', '/v1/departments/{id}'],
      ['/v1/departments/dep_1/members', '/v1/members?department_id=…'],
      ['/v1/organizations/1/members', '/v1/members'],
      ['/v1/members/mem_1/tags/tag_1', '/v1/members/{object_id}/tags'],
      ['/v1/members&limit=5', '/v1/members, with an unencoded ? before the parameters'],
    ])('suggests for %s the path %s', async (path, meant) => {
      const { key } = await withKey();
      const response = await service.app.fetch(
        new Request(`http://service.test${path}`, { headers: { 'X-Api-Key': key } }),
      );
      const { error, errors } = (await response.json()) as {
        error: { message: string };
        errors: { message: string }[];
      };
      expect(response.status).toBe(404);
      expect((error ?? errors[0]).message).toContain(`; did you mean ${meant}?`);
    });
  });

  describe('of a body that is not JSON', () => {
    it.each([
      ['', 'The body is empty; it must be JSON in UTF-8'],
      ['{"a":}', 'The body is not JSON: unexpected "}" at line 1, column 6; a value is missing before it'],
      ['{\n  "a": 1,\n}', 'The body is not JSON: unexpected "}" at line 3, column 1; remove the comma before it'],
      [
        "{'a': 1}",
        'The body is not JSON: unexpected "\'" at line 1, column 2; strings must be in straight double quotes (")',
      ],
      [
        '{"a": {{ a }}}',
        'The body is not JSON: unexpected "{" at line 1, column 8; templates such as {{name}} are not filled in; send the value, text in double quotes',
      ],
      [
        '{"a": "b\\u1x',
        'The body is not JSON: invalid string at line 1, column 7; line breaks, tabs and \\ in it must be escaped',
      ],
      ['{"a": 1 "b": 2}', 'The body is not JSON: unexpected string at line 1, column 9; a comma is missing before it'],
      [
        '{"a" "b',
        'The body is not JSON: unexpected string at line 1, column 6; a colon must follow the name before it',
      ],
      ['{tr', 'The body is not JSON: unexpected "tr" at line 1, column 2; names and strings must be in double quotes'],
      [
        '{"a": 01}',
        'The body is not JSON: unexpected "1" at line 1, column 8; write numbers as in 1000 or 0.5, and all else in double quotes',
      ],
      ['{} {}', 'The body is not JSON: unexpected "{" at line 1, column 4; nothing may follow the first value'],
      [
        'a=1',
        'The body is not JSON: unexpected "a" at line 1, column 1; this is form data; write it as JSON, for example {"a": "1"}',
      ],
      ['[1}', 'The body is not JSON: unexpected "}" at line 1, column 3; a comma or "]" must be here'],
      [
        `${'['.repeat(50_000)}x`,
        'The body is not JSON: unexpected "x" at line 1, column 50001; names and strings must be in double quotes',
      ],
      ['\ufeff{}', 'The body begins with a byte order mark; send it without'],
    ])('locates the error in %j: %s', async (body, message) => {
      expect(await (await withKey()).bodyMessage(body)).toBe(message);
    });

    it.each([
      ['{"a": None}', '"None" at line 1, column 7; write null'],
      ['{"a": undefined}', '"undefined" at line 1, column 7; write null'],
      ['{"a": True}', '"True" at line 1, column 7; write true and false in lower case'],
      ['// a\n{}', '"/" at line 1, column 1; JSON has no comments; remove it'],
      ['{"a": 1 # b', '"#" at line 1, column 9; JSON has no comments; remove it'],
      ['{\u201ca\u201d: 1}', '"\u201c" at line 1, column 2; strings must be in straight double quotes (")'],
      ['{"a": 1,, "b": 2}', '"," at line 1, column 9; remove this comma'],
      ['{"a":, "b": 2}', '"," at line 1, column 6; a value is missing before it'],
      ['{"a": "say "hi""}', '"hi" at line 1, column 13; write " within a text as \\", or a comma is missing before it'],
      ['{"a": 1]', '"]" at line 1, column 8; a comma or "}" must be here'],
      ['[object Object]', '"object" at line 1, column 2; an object was converted to a string instead of JSON'],
    ])('says what to write instead in %j: %s', async (body, what) => {
      expect(await (await withKey()).bodyMessage(body)).toBe(`The body is not JSON: unexpected ${what}`);
    });

    it('locates the error in GraphQL too, for variables of a GET as for a body', async () => {
      const ask = graphql(service.app, (await withKey()).key);
      expect((await ask.post('{"query":')).json.errors[0].message).toBe(
        'The body is not JSON: unexpected end of input at line 1, column 10; "}" is missing',
      );
      const { errors } = (await ask.get({ query: '{ __typename }', variables: '{"a":}' })).json;
      expect(errors[0].message).toBe(
        'variables: must be JSON: unexpected "}" at line 1, column 6; a value is missing before it',
      );
    });
  });

  describe('of a key', () => {
    const missing = 'Send your API key, once, in the header X-Api-Key';
    it.each([
      [{ Authorization: 'Bearer cms_x' }, 'missing_api_key', `${missing}, not in Authorization`],
      [{ Authorization: 'Basic eDp5' }, 'missing_api_key', `${missing}, not in Authorization`],
      [{}, 'missing_api_key', missing],
      [
        { 'Access-Control-Request-Method': 'GET' },
        'missing_api_key',
        `${missing}, from a server: pages in browsers cannot`,
      ],
      [{ 'X-Api-Key': '"cms_x"' }, 'invalid_api_key', 'Send the API key alone, without quotation marks'],
      [{ 'X-Api-Key': "'cms_x'" }, 'invalid_api_key', 'Send the API key alone, without quotation marks'],
      [{ 'X-Api-Key': 'Bearer cms_x' }, 'invalid_api_key', 'Send the API key alone, without "Bearer"'],
      [
        { 'X-Api-Key': '{{api_key}}' },
        'invalid_api_key',
        'Send the API key alone, without other text, such as a word before it or brackets around it',
      ],
      [
        { 'X-Api-Key': 'cms_x' },
        'invalid_api_key',
        'This API key is not known; copy all of it: a key begins with cms_ and has 42 characters',
      ],
    ])('states where %j belongs', async (headers, code, message) => {
      expect(await constraintError('/v1/members', { headers: headers as Record<string, string> })).toEqual({
        status: 401,
        code,
        message,
      });
      const answer = await graphql(service.app).post({ query: '{ __typename }' }, headers as Record<string, string>);
      expect(answer.json.errors[0]).toMatchObject({ message, extensions: { code } });
    });
  });

  it('does not show any part of an API key before a syntax error of a document', async () => {
    const { key } = await service.organization();
    const { json } = await graphql(service.app, key)(`{ members(search: "${key}" !) { totalCount } }`);
    expect(json.errors[0].message).toMatch(/^Syntax Error: Expected Name, .*, after ".*cms_…/);
    expect(json.errors[0].message).not.toContain(key.slice(-8));
  });

  it('names the precondition of GraphQL, and the paths of REST as they are', async () => {
    const { key } = await service.organization();
    const { json } = await graphql(
      service.app,
      key,
    )('mutation { updateMember(input: { id: "mem_1", etag: "1", add: [] }) { member { id } } }');
    expect(json.errors.map(({ message }: { message: string }) => message)).toEqual([
      'Field "etag" is not defined by type "UpdateMemberInput". Did you mean "expectedUpdatedAt"?',
      'add: use PATCH /v1/members/{object_id}/tags (GraphQL: updateMemberTags) with add and remove',
    ]);
  });

  describe('of an id', () => {
    const tag = 'tag_01j00000000000000000000006';
    const FORMAT = 'begins with mem_ and has 30 characters, for example mem_01j00000000000000000000001';
    const WHERE = '; GET /v1/members?q=… (GraphQL: members(search: …)) finds their ids';

    it('states that the id belongs to another kind of record', async () => {
      const organization = await service.organization();
      const message = `Member not found; "${tag}" is not a member id, which ${FORMAT}${WHERE}`;
      const ask = graphql(service.app, organization.key);
      expect((await organization.get(`/members/${tag}`)).json.error).toEqual({ code: 'not_found', message });
      expect((await organization.patch(`/members/${tag}`, {})).json.error.message).toBe(message);
      expect((await organization.patch(`/members/${tag}/tags`, {})).json.error.message).toBe(message);
      expect((await organization.get(`/prayer-requests/${tag}`)).json.error.message).toBe(
        `Prayer request not found; "${tag}" is not a prayer request id, which ${FORMAT.replaceAll('mem_', 'pry_')}; GET /v1/prayer-requests?q=… (GraphQL: prayerRequests(search: …)) finds their ids`,
      );
      expect((await ask(`{ member(id: "${tag}") { id } }`)).json.errors[0].message).toBe(message);
      const update = `mutation { updateMember(input: { id: "${tag}" }) { member { id } } }`;
      expect((await ask(update)).json.errors[0].message).toBe(message);
    });

    it.each(['mem_unknown', 'unknown', '1', 'amara', 'cms_secret', `tag_${'x'.repeat(80)}`])(
      'states what a member id looks like instead of %s, and masks API keys',
      async (id) => {
        const { get, key } = await service.organization();
        const shown = id === 'cms_secret' ? 'cms_…' : id;
        const where = id.startsWith('mem_') ? '' : WHERE;
        const message = `Member not found; "${shown}" is not a member id, which ${FORMAT}${where}`;
        expect((await get(`/members/${id}`)).json.error.message).toBe(message);
        const { json } = await graphql(service.app, key)(`{ member(id: "${id}") { id } }`);
        expect(json.errors[0].message).toBe(message);
      },
    );
  });
});
