import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.ts';
import { answerOf } from '../support/client.ts';
import { person } from '../support/data.ts';
import { bodiesByPath, idsBySegment } from '../support/derived-records.ts';
import { recordsOf } from '../support/records.ts';
import { expectCounted } from '../support/requests/refusal.ts';
import { type GeneratedRequest, requestsTo, type Surroundings } from '../support/requests/requests.ts';
import { onOneStore } from '../support/service.ts';

/** For each route that reads, and for each that writes: few random writes are valid. `npm run test:attacks` sends more. */
const READS = 20;
const WRITES = 100;
const SEED = 3;

/** Excludes targets with `..`, which `URL` resolves here; over a socket such a path is rejected. */
function reachesRest({ target }: GeneratedRequest): boolean {
  return new URL(target, 'http://service.test').pathname.startsWith('/v1');
}

/** Parts of responses that would reveal internals. */
const LEAKS = /\b(SELECT|INSERT INTO|DELETE FROM|violates|constraint|pg_\w+|SQLSTATE|node_modules)\b|\.ts:\d|^\s+at /m;

onOneStore((service) => {
  let surroundings: Surroundings;
  beforeAll(async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const member = (await organization.post('/members', person())).json.data;
    await organization.post('/members', person());
    const form = await records.form({ isPublished: true, acceptingResponse: true });
    const response = await records.formResponse(form.id, { 1: 'a' });
    const [tag, derivedIds] = await Promise.all([records.tag(), idsBySegment(service, organization.id)]);
    const { next_cursor } = (await organization.get('/members?limit=1')).json.pagination;
    surroundings = {
      key: organization.key,
      parameters: {
        object_id: member.id,
        form_id: String(form.id),
        response_id: response.id,
        ...derivedIds,
        tags: tag.id,
        departments: (await records.department()).id,
      },
      bodies: await bodiesByPath(service, organization.id),
      known: [tag.id, derivedIds.designations as string, next_cursor, member.email_address],
    };
  });

  // Deletions come last, because the others need the record.
  const inOrder = routes.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));

  it.each(inOrder)('responds to any request to $method $path with a documented status and shape', async (route) => {
    const prototype = Reflect.ownKeys(Object.prototype);
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(requestsTo(route, surroundings).filter(reachesRest), async (request) => {
        const status = await send(request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
      { numRuns: route.method === 'GET' ? READS : WRITES, seed: SEED },
    );
    expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
    // Some requests succeed, so the generator reaches the operation itself.
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(0);
  });

  async function send({ method, target, headers, body }: GeneratedRequest): Promise<number> {
    const request = new Request(`http://service.test${target}`, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: body === null ? null : new Uint8Array(Buffer.from(body)),
    });
    const answer = await answerOf(await service.app.fetch(request));
    const { status, text, json } = answer;
    expect(status).toBeLessThan(500);
    expectCounted(answer);
    if (method === 'HEAD' || status === 204) {
      expect(text).toBe('');
    } else if (status >= 400) {
      const details = { details: expect.any(Array) };
      const error = { code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/./s) };
      expect(json).toEqual({ error: json.error?.code === 'invalid_request' ? { ...error, ...details } : error });
      expect(text).not.toMatch(LEAKS);
    } else {
      expect(json).toMatchObject({ data: expect.anything() });
    }
    if (method !== 'HEAD' && status !== 204) expect(answer.headers.get('Content-Type')).toBe('application/json');
    return status;
  }
});
