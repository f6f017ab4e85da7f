import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '../faults/support/instance.ts';
import { hasServers, ownPostgresql, ownRedis, untilAnswers } from '../support/servers/own-servers.ts';
import type { Sample } from './observed.ts';
import { type Soaked, soak } from './soaked.ts';

const HELP = `Mixed load on the embedded database and on PostgreSQL with Redis in parallel, to check that memory is constant and that
every connection is closed.

  npm run test:soak -- --minutes 10 --rate 75

  --minutes <number>  the duration, at least 2 (SOAK_MINUTES; 10)
  --rate <number>     operations per second on each of the two services (SOAK_RATE; 75)
  --json              the results as JSON on standard output, progress on standard error
  --help              show this help

Exit codes: 0 all requirements were met, 1 some were not, 2 invalid usage.
`;

const SAMPLE_EVERY_MS = 10_000;
const SAMPLES_A_LINE = 3;

/** The warm-up, in which code is compiled and caches are filled: a fifth of the time, at least a minute. */
const warmUpOf = (minutes: number) => Math.max(1, minutes / 5);

interface Options {
  readonly minutes: number;
  readonly rate: number;
  readonly json: boolean;
}

async function main({ minutes, rate, json }: Options): Promise<boolean> {
  const print = (line: string) => (json ? process.stderr : process.stdout).write(`${line}\n`);
  const directories = [temporaryDirectory(), temporaryDirectory()] as const;
  const servers = hasServers ? await Promise.all([ownPostgresql(), ownRedis()]) : [];
  const soaked: Soaked[] = [];
  try {
    await Promise.all(servers.map((server) => server.start()));
    const [postgresql, redis] = servers;
    if (postgresql) await untilAnswers(postgresql.url);
    print('preparing: the demo, keys, and as many documents as the service caches');
    const targets: [string, Record<string, string>][] = [['embedded', { DATA_DIR: directories[0] }]];
    if (postgresql && redis) {
      const environment = { DATABASE_URL: postgresql.url, REDIS_URL: redis.url, DATA_DIR: directories[1] };
      targets.push(['PostgreSQL', environment]);
    } else {
      print('PostgreSQL and Redis: skipped, their programs are not on this machine');
    }
    await Promise.all(targets.map(async ([title, own]) => soaked.push(await soak(title, own, rate))));
    await watch(soaked, minutes, print);
    const results = await Promise.all(
      soaked.map(async (one) => ({ service: one.title, requests: one.tally.requests, findings: await one.finish() })),
    );
    for (const { service, requests, findings } of results) {
      print(`\n${service}, ${requests} requests`);
      for (const { what, holds, figures } of findings) print(`  ${holds ? 'holds ' : 'FAILED'}  ${what}: ${figures}`);
    }
    if (json) process.stdout.write(`${JSON.stringify(results)}\n`);
    return results.every(({ findings }) => findings.every(({ holds }) => holds));
  } catch (error) {
    await Promise.all(soaked.map((one) => one.abandon()));
    throw error;
  } finally {
    await Promise.all(servers.map((server) => server.remove()));
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
}

/** Takes samples until the end, and prints a line every half a minute. */
async function watch(soaked: readonly Soaked[], minutes: number, print: (line: string) => void): Promise<void> {
  const warmUp = warmUpOf(minutes);
  print(`${minutes} minutes, the first ${warmUp} to warm up; memory in MB after a forced collection, lag in ms`);
  print(formatRow(COLUMNS.map(([name]) => name)));
  const started = performance.now();
  const passed = () => (performance.now() - started) / 60_000;
  for (let n = 1; passed() < minutes; n++) {
    await sleep(Math.max(0, started + n * SAMPLE_EVERY_MS - performance.now()));
    for (const one of soaked) {
      const sample = await one.sample(passed(), passed() > warmUp);
      if (n % SAMPLES_A_LINE === 0) print(formatRow(COLUMNS.map(([, cell]) => cell(one, sample, passed()))));
    }
  }
}

type Cell = (soaked: Soaked, sample: Sample, minutes: number) => string | number;

const inMb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

const COLUMNS: readonly (readonly [string, Cell])[] = [
  ['time', (_, __, minutes) => `${Math.floor(minutes)}:${String(Math.floor((minutes * 60) % 60)).padStart(2, '0')}`],
  ['service', ({ title }) => title],
  ['requests', ({ tally }) => tally.requests],
  ['429', ({ tally }) => tally.statuses.get(429) ?? 0],
  ['5xx', ({ tally }) => [...tally.statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0)],
  ['other', ({ tally }) => tally.unexpected],
  ['keys', ({ keysMade }) => keysMade],
  ['heap', (_, { heapUsed }) => inMb(heapUsed)],
  ['external', (_, { external }) => inMb(external)],
  ['RSS', (_, { rss }) => inMb(rss)],
  ['sockets', (_, { sockets }) => sockets],
  ['pool', (_, { pool }) => `${pool.open}/${pool.idle}/${pool.waited_for}`],
  ['lag p99', (_, { lagMs }) => lagMs.p99.toFixed(0)],
  ['lag max', (_, { lagMs }) => lagMs.max.toFixed(0)],
  ['warnings', (_, { warnings }) => warnings.length],
];

const formatRow = (cells: readonly (string | number)[]) => cells.map((cell) => String(cell).padStart(11)).join('');

/** @returns the options, or the exit code if there is nothing to run. */
function optionsOf(args: readonly string[]): Options | number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: process.env.SOAK_MINUTES ?? '10' },
        rate: { type: 'string', default: process.env.SOAK_RATE ?? '75' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
    if (!(minutes >= 2)) throw new Error('--minutes must be a number from 2');
    if (!(rate >= 1)) throw new Error('--rate must be a number from 1');
    return { minutes, rate, json: values.json };
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
}

// Ends its child processes on a signal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const options = optionsOf(process.argv.slice(2));
process.exitCode = typeof options === 'number' ? options : (await main(options)) ? 0 : 1;
