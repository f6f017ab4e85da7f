import { cpuBetween, usageOf } from '../../bench/measure/cpu.ts';
import { times } from '../../support/data.ts';
import {
  createHttpClient,
  graphqlRequest,
  type HttpClient,
  type HttpRequest,
  restRequest,
} from '../../support/load/http-client.ts';
import { startObserved } from '../../support/load/observed.ts';
import { type Attack, MAX_DELAY_MS, type Phase } from '../attack.ts';
import { listWith, measureWith, startMeasuring } from '../measure.ts';
import { createOrganizations } from '../target.ts';

/** As many requests at once as the default limit of a key allows. */
const AT_ONCE = 118;
/** The requests of each burst that are sent before the measurements, so that code is compiled. */
const WARM_UP_REQUESTS = 12;
/** The requests during a burst, half of them of another organization; its key has the default limit. */
const PROBES = 200;
const PROBE_EVERY_MS = 10;
/** The longest time that a probe of the process may wait. */
const MAX_PROBE_MS = 150;
const MINUTE_MS = 60_000;
/** The maximum share of one core that a key may use, over a minute. */
const MAX_CPU_SHARE = 0.2;

const object = (count: number) => Object.fromEntries(times(count, (n) => [`unknown${n}`, n]));
const json = JSON.stringify;
const CREATE = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { record { id } } }';
const SUBMIT = 'mutation ($input: SubmitFormResponseInput!) { submitFormResponse(input: $input) { record { id } } }';
const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
const CONDITIONS = 49;
const MANY_CONDITIONS = `query (${times(CONDITIONS, (n) => `$b${n}: Boolean!`).join(' ')}) { ${times(
  33,
  (n) => `n${n}: node(id: "x") { ${times(20, (m) => `f${m}: id @include(if: $b${(n + m) % CONDITIONS})`).join(' ')} }`,
).join(' ')} }`;
/** Combining marks that normalization must sort, in runs of the maximum length. */
const MARKS = `a${'\u0300'.repeat(25)}${'\u0316'.repeat(25)}`.repeat(480);

/** Returns the n-th request of a key. */
type MakeRequest = (key: string, n: number) => HttpRequest;

const graphql =
  (request: (n: number) => [query: string, variables?: unknown]): MakeRequest =>
  (key, n) =>
    graphqlRequest(key, 'a burst', ...request(n));
const post =
  (path: string, body: (n: number) => string): MakeRequest =>
  (key, n) =>
    restRequest(key, 'a burst', 'POST', path, body(n));
const get =
  (path: (n: number) => string): MakeRequest =>
  (key, n) =>
    restRequest(key, 'a burst', 'GET', path(n));
const withHeader =
  (path: string, name: string, value: (n: number) => string): MakeRequest =>
  (key, n) =>
    restRequest(key, 'a burst', 'GET', path, undefined, [[name, value(n)]]);

/** Requests that are slow to parse, to validate or to execute, or that are large together. */
const BURSTS: Readonly<Record<string, MakeRequest>> = {
  'unknown fields of a variable': graphql(() => [CREATE, { input: object(1_900) }]),
  'unknown fields of variables that the cached document does not use': graphql(() => ['{ __typename }', object(1_900)]),
  'unknown fields of a request': post('/graphql', () => json({ query: '{ __typename }', ...object(1_900) })),
  'more fields than JSON may have': graphql(() => [CREATE, { input: object(5_500) }]),
  'answers as a variable': graphql(() => [
    SUBMIT,
    { input: { formId: 0, answers: times(990, (n) => ({ fieldId: n, value: { a: [[[n]]], b: 'text' } })) } },
  ]),
  'conditions with other values': graphql((n) => [
    MANY_CONDITIONS,
    Object.fromEntries(times(CONDITIONS, (m) => [`b${m}`, ((n >> (m % 7)) & 1) === 1])),
  ]),
  'lists of ids': graphql((n) => [NODES, { ids: times(1_900, (m) => `mem_${n}_${m}`) }]),
  'lists of invalid ids': graphql(() => [NODES, { ids: times(1_900, () => [[[]]]) }]),
  'lists of ids in a query string': get(
    () =>
      `/graphql?query=${encodeURIComponent(NODES)}&variables=${encodeURIComponent(json({ ids: times(900, String) }))}`,
  ),
  'documents with many fragments': graphql((n) => [
    `{ ...F0 } ${times(90, (f) => `fragment F${f} on Query { ${f === 89 ? '__typename' : `...F${f + 1}`} a${n}: __typename }`).join(' ')}`,
  ]),
  'fragments that spread all later ones': graphql((n) => [
    `{ ...F0 } ${times(60, (f) => `fragment F${f} on Query { a${n}: __typename ${times(59 - f, (m) => `...F${f + m + 1}`).join(' ')} }`).join(' ')}`,
  ]),
  'invalid documents': graphql((n) => [`{ ${times(900, (m) => `unknown${n}_${m}`).join(' ')} }`]),
  'block strings of many lines': graphql((n) => [
    `{ members(search: """${`\n ${'a'.repeat(17)}`.repeat(4_900)}${n}""") { nodes { id } } }`,
  ]),
  'lists of medium size': graphql((n) => [
    `{ members(first: 100) { nodes { ${times(30, (m) => `a${m}: firstName`).join(' ')} } } } # ${n % 2}`,
  ]),
  'lists just below medium size': graphql(() => [
    `{ members(first: 100) { nodes { id firstName lastName a: firstName } } }`,
  ]),
  introspection: graphql(() => ['{ __schema { types { name fields { name type { name ofType { name } } } } } }']),
  'texts of combining marks': graphql(() => [
    'mutation ($input: SubmitPrayerRequestInput!) { submitPrayerRequest(input: $input) { record { id } } }',
    { input: { description: MARKS } },
  ]),
  'unknown fields in REST': post('/v1/members', () => json(object(1_900))),
  'more fields than JSON may have, in REST': post('/v1/members', () => json(object(5_500))),
  'lists in REST': post('/v1/members', () => json({ first_name: times(1_900, () => ({})) })),
  'nested lists in REST': post('/v1/members', () => `{"first_name":${'['.repeat(45_000)}${']'.repeat(45_000)}}`),
  'syntax errors at the end, in REST': post('/v1/members', () => '['.repeat(100_000)),
  'syntax errors after many lines, in REST': post('/v1/members', () => `${'\n'.repeat(100_000)}x`),
  'texts of combining marks in REST': post('/v1/prayer-requests', () => json({ description: MARKS })),
  'short bodies in REST': post('/v1/members', () => json(object(100))),
  'parameters of a query string': get((n) => `/v1/members?${'q=&'.repeat(3_000)}n=${n}`),
  'unknown parameters of a query string': get(() => `/v1/members?${times(190, (n) => `unknown${n}=${n}`).join('&')}`),
  'lists of ids in a query string, in REST': get(() => `/v1/members?tag_id=${times(5_000, () => 'x').join()}`),
  'escapes in a query string': get(() => `/v1/members?q=${'%CC%80'.repeat(2_000)}`),
  'media types in a header': withHeader(
    '/graphql?query={__typename}',
    'Accept',
    (n) => `${'a/b,'.repeat(3_000)}a/${n}`,
  ),
  'media types in a header, in REST': withHeader('/v1/members?limit=1', 'Accept', () => 'a/b,'.repeat(3_000)),
  'encodings in a header': withHeader('/graphql?query={__typename}', 'Accept-Encoding', () =>
    'br;q=0.1,'.repeat(1_500),
  ),
  'tags in a header': withHeader('/v1/members?limit=1', 'If-None-Match', () => '"a",'.repeat(3_000)),
  'long values of many headers': (key) =>
    restRequest(
      key,
      'a burst',
      'GET',
      '/v1/members?limit=1',
      undefined,
      times(60, (n) => [`X-Name-${n}`, 'x'.repeat(200)]),
    ),
};

/** All requests of a minute of one key at once; how long do others wait? */
export const bursts: Phase = {
  name: 'bursts',
  about: 'requests that are slow to check or large together, all those of a minute of one key at once; do others wait?',
  async run(attack) {
    // For each burst, a key to warm up, one of another organization, and one of an organization of its own.
    const count = Object.keys(BURSTS).length;
    const keyCounts = [count, count, ...times(count, () => 1)];
    const [warmUp = [], others = [], ...attacking] = await createOrganizations(attack.target, keyCounts);
    // With the default rate limit of keys.
    const service = await startObserved({ ...attack.target.environment });
    const child = startMeasuring();
    const client = createHttpClient(service.port, AT_ONCE);
    try {
      for (const [n, make] of Object.values(BURSTS).entries()) {
        await send(attack, client, make, warmUp[n] as string, WARM_UP_REQUESTS);
      }
      for (const [n, [name, make]] of Object.entries(BURSTS).entries()) {
        const probes = [{ name: 'livez', path: '/livez' }, listWith(others[n] as string)];
        await service.longestDelay();
        const before = await usageOf([service.pid]);
        const probing = measureWith(child, {
          port: service.port,
          requests: probes,
          count: PROBES,
          everyMs: PROBE_EVERY_MS,
        });
        const own = await send(attack, client, make, attacking[n]?.[0] as string, AT_ONCE);
        const { took, bodies } = await probing;
        const cpuMs = cpuBetween(before, await usageOf([service.pid]));
        judge(attack, name, { own, took, bodies, cpuMs, delay: await service.longestDelay() });
      }
    } finally {
      client.close();
      child.kill();
      await service.stop();
    }
  },
};

/** What was measured during a burst, in milliseconds. */
interface Burst {
  /** The longest response of the key itself. */
  readonly own: number;
  /** The probes of the process and of another organization in turn. */
  readonly took: readonly number[];
  readonly bodies: readonly string[];
  readonly cpuMs: number;
  readonly delay: number;
}

function judge(attack: Attack, name: string, { own, took, bodies, cpuMs, delay }: Burst): void {
  const longest = (parity: number) => Math.max(...took.filter((_, n) => n % 2 === parity));
  const [probe, other] = [longest(0), longest(1)];
  const inMs = (milliseconds: number) => `${Math.round(milliseconds)} ms`;
  const text = `${name}: the event loop is blocked for ${inMs(delay)}, /livez waits ${inMs(probe)}, another organization ${inMs(other)}, the key itself ${inMs(own)}; ${inMs(cpuMs)} of CPU time`;
  attack.note(text);
  const repeat = 'npm run test:attacks -- --only bursts';
  if (delay > MAX_DELAY_MS || probe > MAX_PROBE_MS || cpuMs > MAX_CPU_SHARE * MINUTE_MS) attack.report(text, repeat);
  const failed = bodies.find((body) => !body.startsWith('200 '));
  if (failed) attack.report(`${name}: another request gets ${failed.slice(0, 200)}`, repeat);
}

/** Sends requests at once. @returns the longest response time. */
async function send(
  attack: Attack,
  client: HttpClient,
  make: MakeRequest,
  key: string,
  count: number,
): Promise<number> {
  const responses = await Promise.all(times(count, (n) => client.send(make(key, n))));
  for (const { status, text } of responses) {
    attack.count(status);
    // A key whose requests would wait too long gets 503 with `Retry-After`.
    if (status === 500 || text.includes('"internal_error"')) attack.report(text.slice(0, 300), 'the service log');
  }
  return Math.max(...responses.map(({ took }) => took));
}
