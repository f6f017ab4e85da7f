import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../faults/support/instance.ts';
import { type Columns, formatRow, inMb, print, testCommand, wholeNumber } from '../support/load/harness.ts';
import type { Sample } from '../support/load/observed.ts';
import { hasServers, ownPostgresql, ownRedis, untilAnswers } from '../support/servers/own-servers.ts';
import { type Soaked, soak } from './soaked.ts';

const MIN_MINUTES = 2;

const { minutes, rate } = testCommand(
  'test:soak',
  'Mixed load on the embedded database and on PostgreSQL with Redis in parallel, to check that memory is constant and that every connection is closed.',
)
  .option('--minutes <number>', `the duration, at least ${MIN_MINUTES}`, wholeNumber, 10)
  .option('--rate <number>', 'operations per second on each of the two services', wholeNumber, 75)
  .addHelpText('after', '\nExit codes: 0 all requirements were met, 1 some were not.')
  .parse()
  .opts<{ minutes: number; rate: number }>();
if (minutes < MIN_MINUTES) throw new Error(`--minutes must be at least ${MIN_MINUTES}`);

const SAMPLE_EVERY_MS = 10_000;
const SAMPLES_A_LINE = 3;

/** The warm-up, in which code is compiled and caches are filled: a fifth of the time, at least a minute. */
const warmUpOf = (minutes: number) => Math.max(1, minutes / 5);

async function main(): Promise<boolean> {
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
    await watch(soaked, minutes);
    const results = await Promise.all(
      soaked.map(async (one) => ({ service: one.title, requests: one.tally.requests, findings: await one.finish() })),
    );
    for (const { service, requests, findings } of results) {
      print(`\n${service}, ${requests} requests`);
      for (const { what, holds, figures } of findings) print(`  ${holds ? 'holds ' : 'FAILED'}  ${what}: ${figures}`);
    }
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
async function watch(soaked: readonly Soaked[], minutes: number): Promise<void> {
  const warmUp = warmUpOf(minutes);
  print(`${minutes} minutes, the first ${warmUp} to warm up; memory in MB after a forced collection, lag in ms`);
  print(formatRow(COLUMNS));
  const started = performance.now();
  const passed = () => (performance.now() - started) / 60_000;
  for (let n = 1; passed() < minutes; n++) {
    await sleep(Math.max(0, started + n * SAMPLE_EVERY_MS - performance.now()));
    for (const one of soaked) {
      const sample = await one.sample(passed(), passed() > warmUp);
      if (n % SAMPLES_A_LINE === 0) print(formatRow(COLUMNS, { ...one, sample, minutes: passed() }));
    }
  }
}

interface Row extends Pick<Soaked, 'title' | 'tally' | 'keysMade'> {
  readonly sample: Sample;
  readonly minutes: number;
}

const COLUMNS: Columns<Row> = [
  ['time', ({ minutes }) => `${Math.floor(minutes)}:${String(Math.floor((minutes * 60) % 60)).padStart(2, '0')}`],
  ['service', ({ title }) => title],
  ['requests', ({ tally }) => tally.requests],
  ['429', ({ tally }) => tally.statuses.get(429) ?? 0],
  ['5xx', ({ tally }) => [...tally.statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0)],
  ['other', ({ tally }) => tally.unexpected],
  ['keys', ({ keysMade }) => keysMade],
  ['heap', ({ sample }) => inMb(sample.heapUsed)],
  ['external', ({ sample }) => inMb(sample.external)],
  ['RSS', ({ sample }) => inMb(sample.rss)],
  ['sockets', ({ sample }) => sample.sockets],
  ['pool', ({ sample: { pool } }) => `${pool.open}/${pool.idle}/${pool.waited_for}`],
  ['lag p99', ({ sample }) => sample.lagMs.p99.toFixed(0)],
  ['lag max', ({ sample }) => sample.lagMs.max.toFixed(0)],
  ['warnings', ({ sample }) => sample.warnings.length],
];

process.exitCode = (await main()) ? 0 : 1;
