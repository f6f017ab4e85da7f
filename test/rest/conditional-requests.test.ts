import { describe, expect, it } from 'vitest';
import { expectError, expectInvalid } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { recordsOf } from '../support/records.ts';
import { onOneStore } from '../support/service.ts';

const SEND_ETAG = 'send If-Match with the ETag of a GET of this path, unchanged';

onOneStore((service) => {
  const withMember = async () => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    const tag = await recordsOf(service, organization.id).tag();
    return { organization, path: `/members/${id}`, id: id as string, tagId: tag.id };
  };
  const conditional = (name: 'If-Match' | 'If-None-Match', value: string, body?: object) => ({
    headers: { [name]: value, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

  describe.each(['', '/tags'])('GET /members/{object_id}%s', (suffix) => {
    it('is a 304 without a body while the resource is unchanged', async () => {
      const { organization, path } = await withMember();
      const { headers } = await organization.get(`${path}${suffix}`);
      const etag = headers.get('etag') as string;
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await organization.request('GET', `${path}${suffix}`, conditional('If-None-Match', value));
        expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
      }
    });

    it('is sent again, with another ETag, after a change', async () => {
      const { organization, path, tagId } = await withMember();
      const etag = (await organization.get(`${path}${suffix}`)).headers.get('etag') as string;
      await organization.patch(path, { city: 'Elsewhere', tag_ids: [tagId] });
      const answer = await organization.request('GET', `${path}${suffix}`, conditional('If-None-Match', etag));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).not.toBe(etag);
    });
  });

  describe.each([
    ['', { city: 'Riverton' }],
    ['/tags', { add: [] }],
  ])('PATCH /members/{object_id}%s', (suffix, body) => {
    it('with the ETag of the resource as If-Match changes it, and needs no scope but that of the write', async () => {
      const { organization, path } = await withMember();
      const etag = (await organization.get(`${path}${suffix}`)).headers.get('etag') as string;
      const writer = await organization.withScopes('members.update');
      for (const value of [`"other", ${etag}`, '*']) {
        const answer = await writer.request('PATCH', `${path}${suffix}`, conditional('If-Match', value, body));
        expect(answer.status).toBe(200);
      }
    });

    it('is refused, and changes nothing, after another change', async () => {
      const { organization, path, tagId } = await withMember();
      const etag = (await organization.get(`${path}${suffix}`)).headers.get('etag') as string;
      await organization.patch(path, { city: 'Elsewhere', tag_ids: [tagId] });
      const before = await organization.get(path);
      for (const value of [etag, `W/${before.headers.get('etag')}`]) {
        const answer = await organization.request('PATCH', `${path}${suffix}`, conditional('If-Match', value, body));
        expectError(answer, 412, 'precondition_failed');
      }
      expect((await organization.get(path)).text).toBe(before.text);
    });
  });

  it('is not needed again between two edits: POST and PATCH return the ETag of the GET', async () => {
    const organization = await service.organization();
    const tag = await recordsOf(service, organization.id).tag();
    const created = await organization.post('/members', person({ first_name: 'Zoë "\\ \u0001' }));
    const path = `/members/${created.json.data.id}`;
    let etag = created.headers.get('etag') as string;
    for (const city of ['Here', 'There [1] {2}', 'a/<\u2028\u007f😀']) {
      const answer = await organization.request('PATCH', path, conditional('If-Match', etag, { city }));
      expect(answer.status).toBe(200);
      etag = answer.headers.get('etag') as string;
    }
    expect((await organization.get(path)).headers.get('etag')).toBe(etag);
    const tags = await organization.patch(`${path}/tags`, { add: [tag.id] });
    expect((await organization.get(`${path}/tags`)).headers.get('etag')).toBe(tags.headers.get('etag'));
    const request = await organization.post('/prayer-requests', { description: 'Rain\n\t\u001f\\' });
    const read = await organization.get(`/prayer-requests/${request.json.data.id}`);
    expect(read.headers.get('etag')).toBe(request.headers.get('etag'));
  });

  it('refuses If-Unmodified-Since, which it would otherwise ignore', async () => {
    const { organization, path } = await withMember();
    const headers = { 'If-Unmodified-Since': new Date(0).toUTCString(), 'Content-Type': 'application/json' };
    const answer = await organization.request('PATCH', path, { headers, body: '{"city":"Riverton"}' });
    expectInvalid(answer, 'If-Unmodified-Since');
    const inGraphQL = await graphql(service.app, organization.key)('{ __typename }', {}, headers);
    expect(inGraphQL.json.errors[0].extensions.details).toMatchObject([{ field: 'If-Unmodified-Since' }]);
  });

  it.each([
    ['PATCH', 'If-None-Match', '*'],
    ['POST', 'If-Match', '"a"'],
    ['POST', 'If-None-Match', '*'],
    ['POST', 'If-Unmodified-Since', new Date(0).toUTCString()],
  ] as const)('refuses a %s with %s, which it would otherwise ignore', async (method, name, value) => {
    const { organization, path } = await withMember();
    const headers = { [name]: value, 'Content-Type': 'application/json' };
    const [target, body] = method === 'POST' ? ['/prayer-requests', '{"description":"Rain"}'] : [path, '{"city":"A"}'];
    expectInvalid(await organization.request(method, target, { headers, body }), name);
  });

  it('lets one of two editors with the same ETag change a member', async () => {
    const { organization, path } = await withMember();
    const etag = (await organization.get(path)).headers.get('etag') as string;
    const answers = await Promise.all(
      ['Here', 'There'].map((city) => organization.request('PATCH', path, conditional('If-Match', etag, { city }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('is refused with tags, which the ETag of a member does not cover', async () => {
    const { organization, path, id, tagId } = await withMember();
    const etag = (await organization.get(path)).headers.get('etag') as string;
    const answer = await organization.request('PATCH', path, conditional('If-Match', etag, { tag_ids: [tagId] }));
    expectInvalid(answer, 'tag_ids');
    const ask = graphql(service.app, organization.key);
    const input = { id, tagIds: [tagId], expectedUpdatedAt: '2020-01-01T00:00:00Z' };
    const document = 'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { userErrors { field } } }';
    expect((await ask(document, { input })).json.data.updateMember.userErrors).toEqual([{ field: ['tagIds'] }]);
  });

  it.each([
    ['abc', 400, 'If-Match: must be * or the ETag of a GET of this path, in double quotes'],
    ['W/*', 400, 'If-Match: must be * or the ETag of a GET of this path, in double quotes'],
    ['"x,*,y"', 412, `If-Match has no ETag of this service; ${SEND_ETAG}`],
    ['"abc", *', 412, `If-Match has no ETag of this service; ${SEND_ETAG}`],
    [
      `"${'a'.repeat(22)}"`,
      412,
      'The record was changed since it was read, or If-Match has the ETag of another path; GET this path again, and repeat the change',
    ],
    ['W/"abc"', 412, `If-Match never matches a weak ETag (W/"…"); ${SEND_ETAG}`],
  ])('states what is wrong with the If-Match %s', async (value, status, message) => {
    const { organization, path } = await withMember();
    const answer = await organization.request('PATCH', path, conditional('If-Match', value, { city: 'Riverton' }));
    expect([answer.status, answer.json.error.message]).toEqual([status, message]);
  });

  it('retries a write with the same Idempotency-Key and another If-Match', async () => {
    const { organization, path } = await withMember();
    const patch = (etag: string) => {
      const { headers, body } = conditional('If-Match', etag, { city: 'Riverton' });
      const withKey = { ...headers, 'Idempotency-Key': 'edit-1' };
      return organization.request('PATCH', path, { headers: withKey, ...(body && { body }) });
    };
    expectError(await patch('"outdated"'), 412, 'precondition_failed');
    const etag = (await organization.get(path)).headers.get('etag') as string;
    expect((await patch(etag)).status).toBe(200);
  });

  it('updates a member in GraphQL only if it was not updated since expectedUpdatedAt', async () => {
    const { organization, id } = await withMember();
    const ask = graphql(service.app, organization.key);
    const { member } = (await ask(`{ member(id: "${id}") { updatedAt } }`)).json.data;
    const update = async (city: string, expected: string) => {
      const input = `{ id: "${id}", city: "${city}", expectedUpdatedAt: "${expected}" }`;
      const document = `mutation { updateMember(input: ${input}) { record { city } userErrors { code field } } }`;
      return (await ask(document)).json.data.updateMember;
    };
    expect(await update('One', member.updatedAt)).toEqual({ record: { city: 'One' }, userErrors: [] });
    expect(await update('Two', '2020-01-01T00:00:00Z')).toEqual({
      record: null,
      userErrors: [{ code: 'precondition_failed', field: ['expectedUpdatedAt'] }],
    });
  });
});
