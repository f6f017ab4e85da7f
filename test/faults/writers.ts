import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './instance.ts';

/** Requests that create members, one after another, until they are stopped. */
export interface Writers {
  /** The ids of members whose creation was acknowledged. */
  readonly acknowledged: string[];
  /** How many answers had each status and code, such as `503 unavailable`; `none` where there was no answer. */
  readonly answers: Map<string, number>;
  /** The longest that an answer took. */
  slowestMs(): number;
  /** Waits until so many more were acknowledged. */
  more(count: number, withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts several that write at once. */
export function startWriters(address: string, key: string, count = 8): Writers {
  const acknowledged: string[] = [];
  const answers = new Map<string, number>();
  let slowest = 0;
  let isStopped = false;
  const write = async () => {
    while (!isStopped) {
      const body = JSON.stringify({ first_name: 'A', last_name: 'B', email_address: `${randomUUID()}@example.org` });
      const answer = await ask(address, key, '/v1/members', { method: 'POST', body }).catch(() => undefined);
      if (answer?.status === 201) acknowledged.push(answer.json.data.id);
      // Whoever is refused does not ask again at once.
      else await sleep(20);
      slowest = Math.max(slowest, answer?.took ?? 0);
      const name = answer ? [answer.status, answer.json.error?.code ?? ''].join(' ').trim() : 'none';
      answers.set(name, (answers.get(name) ?? 0) + 1);
    }
  };
  const ended = Promise.all(Array.from({ length: count }, write));
  return {
    acknowledged,
    answers,
    slowestMs: () => slowest,
    async more(wanted, withinMs = 20_000) {
      const [enough, started] = [acknowledged.length + wanted, performance.now()];
      while (acknowledged.length < enough) {
        if (performance.now() - started > withinMs) {
          throw new Error(`nothing was acknowledged within ${withinMs} ms: ${JSON.stringify([...answers])}`);
        }
        await sleep(5);
      }
    },
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

/** How often faults are repeated: more where the environment says so. */
export function rounds(variable: string, standard: number): number {
  return Number(process.env[variable] ?? standard);
}
