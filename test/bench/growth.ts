import pg from 'pg';
import { makeDataSet } from './data/make.ts';
import { FIRST_NAMES, RARE_NAME } from './data/names.ts';
import { toBytes } from './dialects/dialect.ts';
import { serviceRest } from './dialects/service.ts';
import { load } from './measure/load.ts';
import type { Progress } from './report/progress.ts';
import { aligned } from './report/table.ts';
import { startServer } from './servers/server.ts';
import { service } from './targets.ts';
import type { Case } from './works.ts';
import { type Organization, readWorld, type World } from './world.ts';

/** The results for one size of organization. */
export interface Size {
  readonly members: number;
  /** Milliseconds per response to sequential requests, by question. */
  readonly questions: Readonly<Record<string, { readonly p50Ms: number; readonly p99Ms: number }>>;
  /** The seconds taken to insert the rows, and to build indexes afterwards. */
  readonly rowsSeconds: number;
  readonly indexSeconds: number;
}

const QUESTIONS: Readonly<Record<string, (organization: Organization, n: number) => Case>> = {
  'list 25': () => ({ kind: 'list', limit: 25, after: null }),
  'list 100, deep': ({ deepPlaces }, n) => ({
    kind: 'list',
    limit: 100,
    after: deepPlaces[n % deepPlaces.length] ?? null,
  }),
  'get one': ({ memberIds }, n) => ({ kind: 'get', id: memberIds[n % memberIds.length] as string }),
  'search, rare name': () => ({ kind: 'search', text: RARE_NAME }),
  'search, frequent name': () => ({ kind: 'search', text: FIRST_NAMES[0] as string }),
};

/** Measures the REST API with organizations of several sizes, to show which durations are constant and which grow. */
export async function growth(
  server: string,
  sizes: readonly number[],
  seconds: number,
  progress: Progress,
): Promise<Size[]> {
  const measured: Size[] = [];
  for (const members of sizes) {
    const world = await readWorld(await makeDataSet(server, { members }, progress));
    const running = await startServer(service, world.databaseUrl);
    try {
      const questions: Record<string, Size['questions'][string]> = {};
      for (const [name, question] of Object.entries(QUESTIONS)) {
        progress.note(`${members.toLocaleString('en-US')} members: ${name}`);
        questions[name] = await ask(running.port, world.organizations[0], question, seconds);
      }
      measured.push({ members, questions, ...(await timesOf(world)) });
    } finally {
      await running.stop();
    }
  }
  return measured;
}

async function ask(port: number, organization: Organization, question: (typeof QUESTIONS)[string], seconds: number) {
  const request = (n: number) => toBytes(serviceRest.request(question(organization, n), organization));
  const options = { port, connections: 1, request };
  await load({ ...options, milliseconds: 500 });
  const { latencies, failed } = await load({ ...options, milliseconds: seconds * 1_000 });
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const percentile = (part: number) => latencies[Math.floor(part * (latencies.length - 1))] ?? 0;
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

async function timesOf({ databaseUrl }: World): Promise<Pick<Size, 'rowsSeconds' | 'indexSeconds'>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ rows: number; indexes: number }>(
      'SELECT seconds::float8 AS rows, (SELECT sum(seconds)::float8 FROM bench.postponed_index) AS indexes FROM bench.progress',
    );
    return { rowsSeconds: rows[0]?.rows ?? 0, indexSeconds: rows[0]?.indexes ?? 0 };
  } finally {
    await client.end();
  }
}

/** The sizes side by side, as a readable table. */
export function growthTable(sizes: readonly Size[]): string {
  const head = ['p50 (p99) in ms', ...sizes.map(({ members }) => members.toLocaleString('en-US'))];
  const questions = Object.keys(QUESTIONS).map((name) => [
    name,
    ...sizes.map(({ questions }) => {
      const { p50Ms = 0, p99Ms = 0 } = questions[name] ?? {};
      return `${p50Ms.toFixed(2)} (${p99Ms.toFixed(2)})`;
    }),
  ]);
  const seconds = (name: string, of: (size: Size) => number) => [name, ...sizes.map((size) => of(size).toFixed(1))];
  return aligned([
    head,
    ...questions,
    seconds('seconds for the rows', ({ rowsSeconds }) => rowsSeconds),
    seconds('seconds for the indexes', ({ indexSeconds }) => indexSeconds),
  ]);
}
