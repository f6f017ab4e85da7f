import { expect, it } from 'vitest';
import type { Answer } from '../../support/client.ts';
import { person } from '../../support/data.ts';
import { expectHttpRefusal, expectRefusal } from '../../support/requests/refusal.ts';
import { onSocket, requestText, type Wire } from '../../support/requests/socket.ts';
import { onOneStore } from '../../support/service.ts';

/** 100 KB (decisions, "text"). */
const MAX_BODY_BYTES = 100 * 1024;
const POST = 'POST /v1/members HTTP/1.1';

const chunk = (bytes: string) => `${Buffer.byteLength(bytes).toString(16)}\r\n${bytes}\r\n`;
const LAST_CHUNK = '0\r\n\r\n';

onOneStore((service) => {
  const listening = onSocket(() => service.app);

  async function withKey(headers: Record<string, string | string[]> = {}) {
    const organization = await service.organization();
    return { organization, headers: { 'X-Api-Key': organization.key, 'Content-Type': 'application/json', ...headers } };
  }

  /** Expects the connection to stay open or be closed as announced, and a new one to be served. */
  async function expectServed(wire: Wire, answer: Answer, headers: Record<string, string | string[]>) {
    if (answer.headers.get('Connection') === 'close') await wire.closed();
    wire.socket.destroy();
    const next = await listening.open(requestText(POST, headers, JSON.stringify(person()))).answer();
    expect(next.status).toBe(201);
  }

  it('rejects a body over the maximum by its Content-Length, before it is sent', async () => {
    const { headers } = await withKey();
    const wire = listening.open(requestText(POST, { ...headers, 'Content-Length': String(MAX_BODY_BYTES + 1) }));
    const answer = await wire.answer();
    expectRefusal(answer, 413, 'payload_too_large');
    await expectServed(wire, answer, headers);
  });

  it('responds with 413 to a complete body over the maximum, and keeps the connection open', async () => {
    const { headers } = await withKey();
    const wire = listening.open(requestText(POST, headers, 'x'.repeat(1_000_000)));
    expectRefusal(await wire.answer(), 413, 'payload_too_large');
    wire.send(requestText(POST, headers, JSON.stringify(person())));
    expect((await wire.answer()).status).toBe(201);
  });

  it('responds with 413 to a chunked body as soon as it exceeds the maximum', async () => {
    const { headers } = await withKey({ 'Transfer-Encoding': 'chunked' });
    const wire = listening.open(requestText(POST, headers));
    wire.send(chunk('x'.repeat(MAX_BODY_BYTES)));
    wire.send(chunk('x'));
    const answer = await wire.answer();
    expectRefusal(answer, 413, 'payload_too_large');
    await expectServed(wire, answer, { ...headers, 'Transfer-Encoding': [] });
  });

  it.each([
    ['over the maximum', chunk('x'.repeat(2_000)).repeat(100)],
    ['in too many chunks', chunk(' ').repeat(6_000)],
  ])('responds with 413 to a complete chunked body %s, and keeps the connection open', async (_, chunks) => {
    const { headers } = await withKey();
    const wire = listening.open(requestText(POST, { ...headers, 'Transfer-Encoding': 'chunked' }));
    wire.send(chunks);
    wire.send(LAST_CHUNK);
    expectRefusal(await wire.answer(), 413, 'payload_too_large');
    wire.send(requestText(POST, headers, JSON.stringify(person())));
    expect((await wire.answer()).status).toBe(201);
  });

  it('responds with 413 to a body in more than 5,000 chunks', async () => {
    const { headers } = await withKey({ 'Transfer-Encoding': 'chunked' });
    const body = JSON.stringify(person());
    const sent = (padding: number) =>
      `${requestText(POST, headers)}${chunk(' ').repeat(padding)}${chunk(body)}${LAST_CHUNK}`;
    const wire = listening.open(sent(4_999));
    expect((await wire.answer()).status).toBe(201);
    wire.send(sent(5_000));
    const answer = await wire.answer();
    expectRefusal(answer, 413, 'payload_too_large');
    await expectServed(wire, answer, { ...headers, 'Transfer-Encoding': [] });
  });

  it('closes a connection that continues to send after 413', async () => {
    const { headers } = await withKey({ 'Transfer-Encoding': 'chunked' });
    const wire = listening.open(requestText(POST, headers));
    const sending = setInterval(() => wire.send(chunk('x'.repeat(60_000))), 10);
    try {
      expectRefusal(await wire.answer(), 413, 'payload_too_large');
      await wire.closed();
    } finally {
      clearInterval(sending);
    }
  });

  it('accepts a body in chunks of one byte', async () => {
    const { headers } = await withKey({ 'Transfer-Encoding': 'chunked' });
    const body = JSON.stringify(person({ first_name: 'Ærø 😀' }));
    const wire = listening.open(requestText(POST, headers));
    for (const byte of Buffer.from(body)) wire.send(Buffer.from([0x31, 13, 10, byte, 13, 10]));
    wire.send(LAST_CHUNK);
    const answer = await wire.answer();
    expect([answer.status, answer.json?.data.first_name]).toEqual([201, 'Ærø 😀']);
  });

  it('sends 100 Continue to a client that waits for it', async () => {
    const { headers } = await withKey({ Expect: '100-continue' });
    const body = JSON.stringify(person());
    const wire = listening.open(requestText(POST, { ...headers, 'Content-Length': String(body.length) }));
    expect((await wire.answer()).status).toBe(100);
    wire.send(body);
    expect((await wire.answer()).status).toBe(201);
  });

  it('rejects an unknown expectation in the error shape', async () => {
    const { headers } = await withKey({ Expect: 'a-miracle', 'X-Request-Id': 'expecting' });
    const answer = await listening.open(requestText(POST, headers, '{}')).answer();
    expectHttpRefusal(answer, 417);
    expect(answer.headers.get('X-Request-Id')).toBe('expecting');
  });

  it.each([
    ['two lengths', { 'Content-Length': ['2', '3'] }],
    ['a length and chunks', { 'Content-Length': '2', 'Transfer-Encoding': 'chunked' }],
    ['a transfer encoding after chunked', { 'Transfer-Encoding': 'chunked, identity' }],
    ['a negative length', { 'Content-Length': '-1' }],
    ['a length that overflows', { 'Content-Length': '9'.repeat(30) }],
  ])('rejects a request with %s', async (_, lengths) => {
    const { headers } = await withKey(lengths);
    expectHttpRefusal(await listening.open(requestText(POST, headers, '{}')).answer(), 400);
  });

  it.each(['zz\r\n', '-1\r\n', '1\r\nab\r\n', 'ffffffffffffffffff\r\n'])('rejects the chunk %o', async (bytes) => {
    const { headers } = await withKey({ 'Transfer-Encoding': 'chunked' });
    const wire = listening.open(requestText(POST, headers));
    wire.send(bytes);
    const answer = await wire.answer();
    expect([400, 413]).toContain(answer.status);
    expect(answer.json).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  });

  it('creates nothing from a body that is cut off by the end of the connection', async () => {
    const { organization, headers } = await withKey();
    const body = JSON.stringify(person());
    const wire = listening.open(requestText(POST, { ...headers, 'Content-Length': String(body.length + 1) }, body));
    wire.socket.end();
    await wire.closed();
    expect((await organization.get('/members')).json.data).toEqual([]);
  });
});
