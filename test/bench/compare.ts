import pg from 'pg';
import { removeCreated } from './data/created.ts';
import { ask, expectSame } from './measure/check.ts';
import { type Run, run } from './measure/run.ts';
import type { Progress } from './report/progress.ts';
import { type Server, startServer } from './servers/server.ts';
import { RAW, type Target } from './targets.ts';
import type { Case, Work } from './works.ts';
import type { World } from './world.ts';

/** How often, how long and how hard. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
}

/** All rounds of one server at one kind of work. */
export interface Measured {
  readonly work: string;
  readonly target: string;
  readonly runs: readonly Run[];
}

export interface CompareOptions extends Effort {
  readonly targets: readonly Target[];
  readonly works: readonly Work[];
  readonly world: World;
  readonly progress: Progress;
  /** Where V8 writes a CPU profile of each server. */
  readonly cpuProfile?: string | undefined;
}

/** How many answers are compared with raw's before a server is measured. */
const CHECKED = 5;

/**
 * Measures servers at works, in turns: A B C, A B C, so that what disturbs the computer for a while disturbs all.
 *
 * @throws when a server answers otherwise than raw, or not at all.
 */
export async function compare(options: CompareOptions): Promise<Measured[]> {
  const { targets, works, world, progress, rounds } = options;
  const servers = new Map<string, Server>();
  const monitor = new pg.Client({ connectionString: world.databaseUrl });
  await monitor.connect();
  try {
    for (const { program } of [RAW, ...targets]) {
      if (servers.has(program.name)) continue;
      servers.set(program.name, await startServer(program, world, profileArgs(options, program.name)));
    }
    const measured: Measured[] = [];
    for (const work of works) {
      const able = targets.filter(({ without = [] }) => !without.includes(work.name));
      for (const target of able) await check(target, work, servers, world);
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
        if (work.name === 'create') await removeCreated(world);
      }
      for (const target of able) measured.push({ work: work.name, target: target.name, runs: runs.get(target) ?? [] });
    }
    return measured;
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    await monitor.end();
  }
}

async function check(target: Target, work: Work, servers: Map<string, Server>, world: World): Promise<void> {
  const portOf = ({ program }: Target) => servers.get(program.name)?.port as number;
  for (let n = 0; n < CHECKED; n++) {
    // What both create must be alike and yet not the same.
    const asked = (of: string): Case => work.ask({ ...world, run: `${world.run}.${target.name}.${of}` }, n);
    const expected = await ask({ ...RAW, port: portOf(RAW) }, asked('expected'), world);
    const actual = await ask({ ...target, port: portOf(target) }, asked('actual'), world);
    expectSame(target.title, asked('actual'), expected, actual);
  }
}

function profileArgs({ cpuProfile }: CompareOptions, name: string): string[] {
  return cpuProfile ? ['--cpu-prof', `--cpu-prof-dir=${cpuProfile}`, `--cpu-prof-name=${name}.cpuprofile`] : [];
}
