import { expect, it } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { routes } from '../../../src/rest/routes.ts';
import { person } from '../../support/data.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

/** 100 KB (decisions, "text"). */
const MAX_BODY_BYTES = 100 * 1024;

/** Every route with a request body, with well-formed ids in its path. */
const writing = routes
  .filter(({ method }) => ['POST', 'PATCH'].includes(method))
  .map(({ method, path }) => ({ method, path: path.replace('{object_id}', newId('mem')) }));

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deepObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const withBytes = (...odd: number[]) => Buffer.from([...Buffer.from('{"first_name": "'), ...odd, ...Buffer.from('"}')]);

onOneStore((service) => {
  async function eachWriting(
    init: { body: string | Buffer; headers?: Record<string, string> },
    check: (answer: Awaited<ReturnType<TestOrganization['request']>>) => void,
  ) {
    const organization = await service.organization();
    const { body, headers = { 'Content-Type': 'application/json' } } = init;
    for (const { method, path } of writing) {
      check(await organization.request(method, path, { headers, body: new Uint8Array(Buffer.from(body)) }));
    }
  }

  it.each([
    ['missing', ''],
    ['white space', ' \r\n\t '],
    ['a form', 'first_name=Robin&last_name=Field'],
    ['with a byte order mark', '\uFEFF{}'],
    ['in UTF-16', Buffer.from('{}', 'utf16le')],
    ['with a stray byte', withBytes(0xff)],
    ['with an overlong encoding', withBytes(0xc0, 0xaf)],
    ['with a surrogate in UTF-8', withBytes(0xed, 0xa0, 0x80)],
    ['with a truncated character', withBytes(0xe2, 0x82)],
    ['a NUL', '\0'],
    ['compressed', Buffer.from('1f8b0800', 'hex')],
    ['100 KB of unclosed brackets', '['.repeat(MAX_BODY_BYTES)],
  ])('rejects a body that is %s as invalid JSON', async (_, body) => {
    await eachWriting({ body }, (answer) => expectRefusal(answer, 400, 'invalid_json'));
  });

  it.each(['null', '5', '-0', 'true', '[]', '[{}]', '""', '"x"', '1e999'])('rejects %s as a body', async (body) => {
    await eachWriting({ body }, (answer) => expectRefusal(answer, 400, 'invalid_request'));
  });

  it.each([
    ['arrays', deep(5_000)],
    ['objects', deepObject(5_000)],
    ['arrays in a known field', `{"first_name":${deep(5_000)},"description":${deep(5_000)},"add":${deep(5_000)}}`],
    ['objects in a list of tag ids', `{"add":[${deepObject(5_000)}]}`],
    ['arrays that fill the maximum body size', deep(MAX_BODY_BYTES / 2)],
  ])('rejects 5,000 levels of %s', async (_, body) => {
    await eachWriting({ body }, (answer) => expectRefusal(answer, 400, 'invalid_request'));
  });

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'json',
    '*/*',
    'application/json; charset=latin1',
    'application/json, application/json',
  ])('rejects the content type %s', async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    await eachWriting({ body: '{}', headers }, (answer) => expectRefusal(answer, 415, 'unsupported_media_type'));
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'x-unknown', 'identity, gzip'])(
    'rejects the content encoding %s',
    async (encoding) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
      await eachWriting({ body: '{}', headers }, (answer) => expectRefusal(answer, 415, 'unsupported_media_type'));
    },
  );

  it.each([
    { 'Content-Type': 'APPLICATION/JSON' },
    { 'Content-Type': 'application/json;charset=utf-8' },
    { 'Content-Type': 'application/json ; charset="UTF-8"' },
    { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' },
  ])('accepts a body with the content type %o', async (headers) => {
    const organization = await service.organization();
    const answer = await organization.post('/members', person(), headers);
    expect(answer.status).toBe(201);
  });

  it('accepts a body of exactly the maximum size', async () => {
    const organization = await service.organization();
    const body = JSON.stringify(person()).padEnd(MAX_BODY_BYTES);
    const headers = { 'Content-Type': 'application/json' };
    expect((await organization.request('POST', '/members', { headers, body })).status).toBe(201);
  });

  it('measures the maximum in bytes, not in characters', async () => {
    const body = JSON.stringify({ description: '€'.repeat(MAX_BODY_BYTES / 3) });
    await eachWriting({ body }, (answer) => expectRefusal(answer, 413, 'payload_too_large'));
  });
});
