import { times } from '../../support/data.ts';
import { createHttpClient } from '../../support/load/http-client.ts';
import { startObserved } from '../../support/load/observed.ts';
import { type Attack, MAX_DELAY_MS, type Phase } from '../attack.ts';
import { listWith, measureWith, startMeasuring } from '../measure.ts';
import type { Measurement } from '../measuring-child.ts';
import { createOrganizations } from '../target.ts';
import { DOCUMENTS } from './documents.ts';

/** Each key has a separate rate limit: together they permit the measured rate. */
const KEYS = 40;
const REQUESTS = 800;
/** Sent before the measurements, so that code is compiled in both processes. */
const WARM_UP_REQUESTS = 100;
const EVERY_MS = 15;
/** Twenty times the rate limit of a key. */
const ATTACKS_PER_SECOND = 40;
const MOST_EXPENSIVE = [
  'the last departments and members, with heads',
  'the query of GraphiQL',
  'fragments that spread all later ones',
  'a large response',
];
/** The maximum ratio of response times of another organization during the attack, at the 99th percentile. */
const MAX_RATIO = 2;

/** One organization sends requests at twenty times its rate limit, while another one works as usual. */
export const fairness: Phase = {
  name: 'fairness',
  about:
    'one organization sends the most expensive documents at twenty times its rate limit; how long does another one wait?',
  async run(attack) {
    const [keys = []] = await createOrganizations(attack.target, [KEYS]);
    // With the default rate limit of keys.
    const service = await startObserved({ ...attack.target.environment });
    const child = startMeasuring();
    const measure = async (someKeys: readonly string[], count = REQUESTS) =>
      summaryOf(
        await measureWith(child, { port: service.port, requests: someKeys.map(listWith), count, everyMs: EVERY_MS }),
      );
    try {
      await measure(keys, WARM_UP_REQUESTS);
      await warmUpAttack(attack, service.port);
      const quiet = await measure(keys.slice(0, KEYS / 2));
      await service.longestDelay();
      const stop = sendExpensive(attack, service.port);
      const loaded = await measure(keys.slice(KEYS / 2));
      await stop();
      const delay = await service.longestDelay();
      for (const _ of times(2 * REQUESTS, String)) attack.count(200);
      const ratio = loaded.p99 / quiet.p99;
      const text = `p99 of another organization: ${inMs(quiet.p99)} alone, ${inMs(loaded.p99)} during the attack, ${ratio.toFixed(1)} times as long; p50: ${inMs(quiet.p50)} and ${inMs(loaded.p50)}; longest delay of the event loop: ${inMs(delay)}`;
      attack.note(text);
      const repeat = `npm run test:attacks -- --seed ${attack.seed} --only fairness`;
      if (ratio > MAX_RATIO || delay > MAX_DELAY_MS) attack.report(text, repeat);
      if (loaded.bodies.size !== 1 || ![...loaded.bodies].every((body) => quiet.bodies.has(body))) {
        attack.report('another organization receives different responses during the attack', repeat);
      }
    } finally {
      child.kill();
      await service.stop();
    }
  },
};

function summaryOf({ took, bodies }: Measurement) {
  const sorted = took.toSorted((one, other) => one - other);
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] as number;
  return { p50: percentile(0.5), p99: percentile(0.99), bodies: new Set(bodies) };
}

const inMs = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;

/** Sends each document of the attack once, so that JIT compilation does not affect the measurements. */
async function warmUpAttack({ graphql }: Attack, port: number): Promise<void> {
  const client = createHttpClient(port);
  try {
    for (const name of MOST_EXPENSIVE) {
      const status = await client.sendAndDiscard(graphql(name, DOCUMENTS[name] as string));
      if (status !== 200) throw new Error(`${name}: status ${status} in the warm-up`);
    }
  } finally {
    client.close();
  }
}

/** @returns a function that ends the attack. */
function sendExpensive({ graphql }: Attack, port: number): () => Promise<void> {
  const client = createHttpClient(port);
  const pending: Promise<unknown>[] = [];
  let sent = 0;
  const timer = setInterval(() => {
    const name = MOST_EXPENSIVE[sent % MOST_EXPENSIVE.length] as string;
    // A comment makes each document new to the service.
    const request = graphql(name, `${DOCUMENTS[name]} # ${sent}`);
    sent += 1;
    pending.push(client.sendAndDiscard(request).catch(() => {}));
  }, 1_000 / ATTACKS_PER_SECOND);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
    client.close();
  };
}
