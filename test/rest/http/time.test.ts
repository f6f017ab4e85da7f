import { beforeEach, expect, it } from 'vitest';
import { createHttpServer } from '../../../src/server/http-server.ts';
import { expectHttpRefusal, expectRefusal } from '../../support/requests/refusal.ts';
import { onSocket, requestText, type Wire } from '../../support/requests/socket.ts';
import { onOneStore } from '../../support/service.ts';

/** Longer than the test waits for a response on a busy machine. */
const NO_LIMIT_MS = 600_000;

onOneStore((service) => {
  const listening = onSocket(
    () => service.app,
    (server) => Object.assign(server, { connectionsCheckingInterval: 50 }),
  );

  // The server reads its limits at each check, so a test can end the time of the requests that it has sent.
  const setLimits = (ms: number) => Object.assign(listening.server, { headersTimeout: ms, requestTimeout: ms });
  beforeEach(() => {
    setLimits(NO_LIMIT_MS);
  });

  /** Repeatedly sends a few bytes, as long as the connection is open. */
  function trickle(wire: Wire, bytes: string) {
    const sending = setInterval(() => (wire.socket.writable ? wire.send(bytes) : clearInterval(sending)), 50);
    wire.socket.once('close', () => clearInterval(sending));
  }

  it('limits the time for headers and requests by default', () => {
    const server = createHttpServer(service.app);
    expect(server.headersTimeout).toBeGreaterThan(0);
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
    expect(server.requestTimeout).toBeGreaterThan(0);
    expect(server.requestTimeout).toBeLessThanOrEqual(20_000);
  });

  it('closes a connection whose headers never end', async () => {
    const wire = listening.open('GET /v1/members HTTP/1.1\r\nHost: a\r\n');
    trickle(wire, 'X-A: a\r\n');
    setLimits(100);
    expectHttpRefusal(await wire.answer(), 408);
    await wire.closed();
  });

  it('closes a connection without any data', async () => {
    const wire = listening.open();
    setLimits(100);
    expect(await wire.closed()).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  it.each([
    ['with a Content-Length', { 'Content-Length': '1000' }, 'x'],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, '1\r\nx\r\n'],
  ])('closes a connection whose body never ends, %s', async (_, lengths, bytes) => {
    const { key } = await service.organization();
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json', ...lengths };
    const wire = listening.open(requestText('POST /v1/members HTTP/1.1', headers));
    trickle(wire, bytes);
    setLimits(500);
    const answer = await wire.answer();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.json.error.code).toMatch(/^invalid_/);
    await wire.closed();
  });

  it('closes a connection whose body stops in the middle', async () => {
    const { organization, headers } = await service.organization().then((made) => ({
      organization: made,
      headers: { 'X-Api-Key': made.key, 'Content-Type': 'application/json', 'Content-Length': '1000' },
    }));
    const wire = listening.open(requestText('POST /v1/members HTTP/1.1', headers));
    wire.send('{"first_name":');
    setLimits(500);
    expectHttpRefusal(await wire.answer(), 408);
    await wire.closed();
    expect((await organization.get('/members')).json.data).toEqual([]);
  });

  it('rejects an invalid key before the body of a request ends', async () => {
    const headers = { 'X-Api-Key': 'x', 'Content-Type': 'application/json', 'Content-Length': '1000' };
    const wire = listening.open(requestText('POST /v1/members HTTP/1.1', headers));
    trickle(wire, ' ');
    expectRefusal(await wire.answer(), 401, 'invalid_api_key');
    setLimits(100);
    await wire.closed();
  });

  it('responds once to a GET whose body never ends, and closes the connection', async () => {
    const { key } = await service.organization();
    const wire = listening.open(requestText('GET /v1/events HTTP/1.1', { 'X-Api-Key': key, 'Content-Length': '1000' }));
    expect((await wire.answer()).status).toBe(400);
    setLimits(100);
    expect(await wire.closed()).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  it('serves other clients while many connections are silent', async () => {
    const silent = Array.from({ length: 200 }, () => listening.open('GET /'));
    const { key } = await service.organization();
    const wire = listening.open(requestText('GET /v1/events HTTP/1.1', { 'X-Api-Key': key }));
    expect((await wire.answer()).status).toBe(200);
    setLimits(100);
    await Promise.all(silent.map((each) => each.closed()));
  });
});
