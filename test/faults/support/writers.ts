import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ask } from './instance.ts';

/** Creates members one after another until stopped. */
export interface Writers {
  /** The ids of members whose creation was acknowledged. */
  readonly acknowledged: string[];
  /** The number of responses by status and code, such as `503 unavailable`; `none` without a response. */
  readonly answers: Map<string, number>;
  /** The longest response time since the last call. */
  takeSlowestMs(): number;
  /** Waits for a number of further acknowledged members. */
  more(count: number, withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts several concurrent writers. */
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
      // Wait before the next attempt after a refusal.
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
    takeSlowestMs() {
      const taken = slowest;
      slowest = 0;
      return taken;
    },
    async more(wanted, withinMs = 20_000) {
      const [enough, started] = [acknowledged.length + wanted, performance.now()];
      while (acknowledged.length < enough) {
        if (performance.now() - started > withinMs) {
          throw new Error(`no write was acknowledged within ${withinMs} ms: ${JSON.stringify([...answers])}`);
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

/** The acknowledged ids that a table of a database does not contain. */
export async function lostIn(
  databaseUrl: string,
  table: 'member' | 'prayer_request',
  acknowledged: readonly string[],
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(`SELECT id FROM ${table}`).finally(() => client.end());
  const there = new Set(rows.map(({ id }) => id));
  return acknowledged.filter((id) => !there.has(id));
}

/** The number of repetitions of faults; configurable by the environment. */
export function rounds(variable: string, standard: number): number {
  return Number(process.env[variable] ?? standard);
}
