import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { person, times } from '../../support/data.ts';
import { expectHttpRefusal, expectRefusal } from '../../support/requests/refusal.ts';
import { onSocket, requestText } from '../../support/requests/socket.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  const listening = onSocket(() => service.app);

  async function withKey() {
    const organization = await service.organization();
    const headers = { 'X-Api-Key': organization.key, 'Content-Type': 'application/json' };
    return { organization, headers };
  }

  it('closes a connection with more than 32 unanswered requests', async () => {
    const { headers } = await withKey();
    const wire = listening.open(Buffer.concat(times(33, () => requestText('GET /v1/events HTTP/1.1', headers))));
    expect(await wire.closed()).not.toContain('HTTP/1.1 500');
  });

  it('serves a request that arrives byte by byte', async () => {
    const { headers } = await withKey();
    const wire = listening.open();
    wire.socket.setNoDelay(true);
    for (const byte of requestText('POST /v1/members HTTP/1.1', headers, JSON.stringify(person()))) {
      wire.send(Buffer.from([byte]));
    }
    expect((await wire.answer()).status).toBe(201);
  });

  it('keeps a connection open after every rejected request', async () => {
    const { headers } = await withKey();
    const wire = listening.open();
    const refused: [number, string, Record<string, string>][] = [
      [401, 'GET /v1/members', { 'X-Api-Key': '' }],
      [404, 'GET /v1/nowhere', {}],
      [405, 'DELETE /v1/members', {}],
      [415, 'POST /v1/members', { 'Content-Type': 'text/plain' }],
      [400, 'GET /v1/members?limit=0', {}],
    ];
    for (const [status, line, others] of refused) {
      wire.send(requestText(`${line} HTTP/1.1`, { ...headers, ...others }, line.startsWith('POST') ? '{}' : undefined));
      expect((await wire.answer()).status).toBe(status);
    }
    wire.send(requestText('GET /v1/members HTTP/1.1', headers));
    expect((await wire.answer()).status).toBe(200);
  });

  it.each([
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
    ['a greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['line feeds without carriage returns', 'GET /v1/members HTTP/1.1\nHost: a\n\n'],
    ['no host', 'GET /v1/members HTTP/1.1\r\n\r\n'],
    ['an unsupported version', 'GET /v1/members HTTP/1.9\r\nHost: a\r\n\r\n'],
  ])('rejects %s in the error shape, and closes the connection', async (_, bytes) => {
    const wire = listening.open(bytes);
    expectHttpRefusal(await wire.answer(), 400);
    expect(await wire.closed()).toBe('');
  });

  it('serves HTTP/1.0, and closes the connection', async () => {
    const { headers } = await withKey();
    const wire = listening.open(requestText('GET /v1/events HTTP/1.0', headers));
    expect((await wire.answer()).status).toBe(200);
    expect(await wire.closed()).toBe('');
  });

  it('responds to the requests before garbage in order', async () => {
    const { headers } = await withKey();
    const good = requestText('GET /v1/events HTTP/1.1', headers);
    const wire = listening.open(Buffer.concat([good, good, Buffer.from('garbage\r\n\r\n')]));
    expect((await wire.answer()).status).toBe(200);
    expect((await wire.answer()).status).toBe(200);
    expect(await wire.closed()).toMatch(/^(HTTP\/1\.1 400 |$)/);
  });

  it('creates a whole member or none if clients disconnect at any moment of a POST', async () => {
    const { organization, headers } = await withKey();
    const bodies = times(40, () => person());
    const gone = bodies.map(async (body, n) => {
      const bytes = requestText('POST /v1/members HTTP/1.1', headers, JSON.stringify(body));
      const wire = listening.open();
      await new Promise((resolve) => wire.socket.write(n % 4 ? bytes : bytes.subarray(0, -1), resolve));
      if (n % 4 === 2) await new Promise((resolve) => setImmediate(resolve));
      wire.socket.resetAndDestroy();
    });
    await Promise.all(gone);
    expect((await listening.open(requestText('GET /v1/members HTTP/1.1', headers)).answer()).status).toBe(200);
    for (const [n, body] of bodies.entries()) {
      const again = await organization.post('/members', body);
      if (again.status !== 201) expectRefusal(again, 409, 'member_exists');
      if (n % 4 === 0) expect(again.status).toBe(201);
    }
    const [counts] = await service.store.db.rows<{ members: number; places: number; addresses: number }>(sql`
      SELECT count(DISTINCT m.id)::int AS members, count(DISTINCT p.person_id)::int AS places,
        count(DISTINCT e.address)::int AS addresses
      FROM member m
        LEFT JOIN person_organization p ON p.person_id = m.id
        LEFT JOIN email_address e ON e.person_id = m.id
      WHERE m.organization_id = ${organization.id}`);
    expect(counts).toEqual({ members: 40, places: 40, addresses: 40 });
  });
});
