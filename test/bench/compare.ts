import pg from 'pg';
import { removeCreated } from './data/created.ts';
import type { DataSet, Organization } from './data-set.ts';
import { ask, expectSame } from './measure/check.ts';
import { type Run, run } from './measure/run.ts';
import type { Progress } from './report/progress.ts';
import { type Server, startServer } from './servers/server.ts';
import { RAW, type Target } from './targets.ts';
import type { Case, Workload } from './workloads.ts';

/** The number, length and concurrency of runs. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
}

/** All runs of one server with one workload. */
export interface Measured {
  readonly work: string;
  readonly target: string;
  readonly runs: readonly Run[];
}

export interface CompareOptions extends Effort {
  readonly targets: readonly Target[];
  readonly workloads: readonly Workload[];
  readonly dataSet: DataSet;
  readonly progress: Progress;
}

/** The number of responses compared with those of raw SQL before a server is measured. */
const CHECKED = 5;

/**
 * Measures servers with workloads in turns (A B C, A B C), so that a temporary disturbance affects all.
 *
 * @throws if a server responds differently from raw SQL, or not at all.
 */
export async function compare(options: CompareOptions): Promise<Measured[]> {
  const { targets, workloads, dataSet, progress, rounds } = options;
  const servers = new Map<string, Server>();
  const monitor = new pg.Client({ connectionString: dataSet.databaseUrl });
  await monitor.connect();
  try {
    for (const { program } of [RAW, ...targets]) {
      if (servers.has(program.name)) continue;
      servers.set(program.name, await startServer(program, dataSet.databaseUrl));
    }
    const measured: Measured[] = [];
    for (const work of workloads) {
      const able = targets.filter(({ without = [] }) => !without.includes(work.name));
      for (const target of able) await check(target, work, servers, dataSet);
      const runs = new Map<Target, Run[]>(able.map((target) => [target, []]));
      const step = progress.step(work.title, able.length * (rounds + 1));
      let done = 0;
      for (let round = 0; round <= rounds; round++) {
        for (const target of able) {
          const seconds = round === 0 ? options.warmUpSeconds : options.seconds;
          const server = servers.get(target.program.name) as Server;
          const result = await run({ ...options, ...target, server, work, monitor, milliseconds: seconds * 1_000 });
          if (round > 0) runs.get(target)?.push(result);
          step(++done);
        }
        if (work.name === 'create') await removeCreated(dataSet.databaseUrl);
      }
      for (const target of able) {
        measured.push({ work: work.name, target: target.name, runs: runs.get(target) ?? [] });
      }
    }
    return measured;
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    await monitor.end();
  }
}

async function check(target: Target, work: Workload, servers: Map<string, Server>, dataSet: DataSet): Promise<void> {
  const portOf = ({ program }: Target) => servers.get(program.name)?.port as number;
  for (let n = 0; n < CHECKED; n++) {
    const organization = nthOrganization(dataSet, n);
    // Created records must be equal except for their unique values.
    const asked = (of: string): Case => work.ask(renamed(organization, `${target.name}.${of}`), n);
    const expected = await ask({ ...RAW, port: portOf(RAW) }, asked('expected'), organization);
    const actual = await ask({ ...target, port: portOf(target) }, asked('actual'), organization);
    expectSame(target.title, asked('actual'), expected, actual);
  }
}

function nthOrganization({ organizations }: DataSet, n: number): Organization {
  return organizations[n % organizations.length] as Organization;
}

/** The organization in a run of another name, so that created members are new ones. */
function renamed(organization: Organization, name: string): Organization {
  return { ...organization, run: `${organization.run}.${name}` };
}
