import { setTimeout as sleep } from 'node:timers/promises';
import { type Clients, type Known, WORKLOADS, type Workload } from './workloads.ts';

/** The results of the load so far. */
export interface Tally {
  requests: number;
  /** Responses by status. */
  readonly statuses: Map<number, number>;
  /** Unexpected responses and failed connections; the first few as text. */
  unexpected: number;
  readonly examples: string[];
  /** Operations skipped because too many were in progress: the load was lower than configured. */
  leftOut: number;
}

const EVERY_MS = 20;
const AT_ONCE = 32;
const IDLE_CONNECTIONS = 200;
const EXAMPLES = 5;

/** Runs operations at a constant rate until stopped, regardless of the response times. */
export async function mixedLoad(
  clients: Clients,
  known: Known,
  perSecond: number,
  tally: Tally,
  stop: AbortSignal,
): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  const started = performance.now();
  let begun = 0;
  for (let turn = 0; !stop.aborted; turn++) {
    const due = Math.floor(((performance.now() - started) / 1_000) * perSecond);
    for (; begun < due; begun++) {
      if (inProgress.size >= AT_ONCE) {
        tally.leftOut += 1;
        continue;
      }
      const done: Promise<void> = execute(drawn(), clients, known, tally).finally(() => inProgress.delete(done));
      inProgress.add(done);
    }
    if (turn % 50 === 0) await clients.connections.idle(IDLE_CONNECTIONS);
    await sleep(EVERY_MS);
  }
  await Promise.all(inProgress);
}

/** An empty tally. */
export function emptyTally(): Tally {
  return { requests: 0, statuses: new Map(), unexpected: 0, examples: [], leftOut: 0 };
}

/** Operations repeated by their weight. */
const WEIGHTED_WORKLOADS: readonly Workload[] = WORKLOADS.flatMap((work) => Array<Workload>(work.weight).fill(work));

function drawn(): Workload {
  return WEIGHTED_WORKLOADS[Math.floor(Math.random() * WEIGHTED_WORKLOADS.length)] as Workload;
}

async function execute(work: Workload, clients: Clients, known: Known, tally: Tally): Promise<void> {
  try {
    const outcomes = await work.run(clients, known);
    // Aborted requests were sent too.
    tally.requests += Math.max(outcomes.length, 1);
    for (const { answered, expected } of outcomes) {
      const { status, text } = answered;
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      const isCorrect = expected.includes(status) && !(status === 200 && text.startsWith('{"errors"'));
      // Rate-limited and unavailable responses are counted by status only.
      if (!isCorrect && status !== 429 && status !== 503) note(tally, `${work.name}: ${status} ${text.slice(0, 300)}`);
    }
  } catch (error) {
    note(tally, `${work.name}: ${error}`);
  }
}

/** Counts unexpected results and keeps the first few. */
export function note(tally: Tally, example: string): void {
  tally.unexpected += 1;
  if (tally.examples.length < EXAMPLES) tally.examples.push(example);
}
