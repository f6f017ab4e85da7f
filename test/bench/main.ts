import { Command, Option } from 'commander';
import { type CompareOptions, compare, type Measured } from './compare.ts';
import { removeCreated } from './data/created.ts';
import { makeDataSet } from './data/make.ts';
import { copyToEmbedded } from './embedded.ts';
import { growth, growthTable } from './growth.ts';
import { plot } from './report/plot.ts';
import { profileSummary } from './report/profile.ts';
import { createProgress } from './report/progress.ts';
import { type Published, publish } from './report/publish.ts';
import { ratioRows, ratioTable, spellingTable } from './report/table.ts';
import { RAW, SPELLED, TARGETS, type Target, VARIANTS } from './targets.ts';
import { WORKS } from './works.ts';
import { readWorld } from './world.ts';

interface Options {
  readonly members: number;
  readonly organizations: readonly number[];
  readonly only?: readonly string[];
  readonly servers?: readonly string[];
  readonly seconds?: number;
  readonly rounds?: number;
  readonly connections: number;
  readonly cpuProfile?: string;
  readonly quick: boolean;
  readonly json: boolean;
  readonly embedded: boolean;
  readonly spellings: boolean;
  readonly growth?: readonly number[];
  readonly publish: boolean;
}

const server = process.env.BENCH_DATABASE_URL ?? 'postgresql://root@127.0.0.1:5432/postgres';
const names = (text: string) => text.split(',');
const counts = (text: string) => text.split(',').map(Number);

const program = new Command('bench')
  .description('Compares the service with raw SQL and with common ways to build such an API.')
  .option('--members <count>', 'the number of members in each data set', Number, 1_000_000)
  .addOption(
    new Option('--organizations <counts>', 'data sets with these numbers of organizations, a table each')
      .argParser(counts)
      .default([16, 1], '16,1'),
  )
  .addOption(new Option('--only <workloads>', `some of ${WORKS.map(({ name }) => name).join(', ')}`).argParser(names))
  .addOption(
    new Option('--servers <names>', `some of service, ${TARGETS.map(({ name }) => name).join(', ')}`).argParser(names),
  )
  .option('--seconds <count>', 'seconds per server and round (8, spellings 3; with --quick 2 and 1)', Number)
  .option('--rounds <count>', 'the number of rounds (3; with --quick 1)', Number)
  .option('--connections <count>', 'the number of concurrent requests', Number, 32)
  .option('--cpu-profile <folder>', 'write CPU profiles of the servers to this folder, and summarize them')
  .option('--quick', 'a run of about three minutes with less accurate results', false)
  .option('--json', 'print the results as JSON', false)
  .option('--embedded', 'measure the service on its embedded database too; best with --members 100000', false)
  .addOption(
    new Option(
      '--spellings',
      `instead, measure only the service's GraphQL API, with operations as written by clients: ${SPELLED.map(({ name }) => name).join(', ')}`,
    )
      .default(false)
      .conflicts(['servers', 'embedded', 'growth']),
  )
  .addOption(
    new Option('--growth <counts>', 'instead, measure response times in organizations of these sizes').argParser(
      counts,
    ),
  )
  .option('--publish', 'store the results in test/bench/results, and update test/bench/README.md', false)
  .action(bench);

await program.parseAsync();

async function bench(options: Options): Promise<void> {
  const progress = createProgress();
  if (options.growth) {
    const sizes = await growth(server, options.growth, options.seconds ?? 2, progress);
    process.stdout.write(options.json ? `${JSON.stringify({ sizes })}\n` : growthTable(sizes));
    if (options.publish) await publish('growth', { sizes }, growthTable(sizes));
    return;
  }
  const { connections, cpuProfile } = options;
  const results: object[] = [];
  for (const [index, organizations] of options.organizations.entries()) {
    const world = await readWorld(await makeDataSet(server, { members: options.members, organizations }, progress));
    await removeCreated(world.databaseUrl);
    const common: Common = {
      world,
      progress,
      connections,
      works: WORKS.filter(({ name }) => options.only?.includes(name) ?? true),
      rounds: options.rounds ?? (options.quick ? 1 : 3),
      warmUpSeconds: options.quick ? 0.5 : 2,
    };
    const withSpellings = index === 0 && !options.servers && !options.embedded;
    const reports = [...(options.spellings ? [] : [reportServers]), ...(withSpellings ? [reportSpellings] : [])];
    for (const report of reports) {
      const { kind, measured, table, svg } = await report(options, common);
      const result = { members: world.members, organizations, connections, ...measured };
      results.push(result);
      if (!options.json) process.stdout.write(`${organizations} organizations, ${world.members} members\n\n${table}\n`);
      if (options.publish) await publish(kind, result, table, svg);
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
  if (cpuProfile) process.stderr.write(await profileSummary(cpuProfile));
}

/** The common options of all comparisons of a run. */
type Common = Omit<CompareOptions, 'targets' | 'seconds' | 'cpuProfile'>;

/** The results of a comparison, by their name in the JSON, with their readable form. */
interface Report {
  readonly kind: Published;
  readonly measured: Readonly<Record<string, readonly Measured[]>>;
  readonly table: string;
  readonly svg?: string;
}

async function reportServers({ servers, quick, ...options }: Options, common: Common): Promise<Report> {
  const embedded = options.embedded ? await copyToEmbedded(common.world, common.progress) : undefined;
  const targets = [...chosen(servers), ...(embedded?.targets ?? [])];
  const measured = await compare({
    ...common,
    targets,
    cpuProfile: options.cpuProfile,
    seconds: options.seconds ?? (quick ? 2 : 8),
  }).finally(() => embedded?.remove());
  const [table, svg] = [ratioTable(measured, targets), plot(ratioRows(measured, targets))];
  const kind = embedded ? 'embedded' : common.world.organizations.length > 1 ? 'organizations' : 'organization';
  return { kind, measured: { measured }, table, svg };
}

/** Shorter than the run with the servers, so that it adds five minutes to half an hour. */
async function reportSpellings({ quick, ...options }: Options, common: Common): Promise<Report> {
  const spellings = await compare({
    ...common,
    targets: SPELLED,
    // In a run that includes the servers, the profile of the service comes from their comparison.
    cpuProfile: options.spellings ? options.cpuProfile : undefined,
    seconds: options.seconds ?? (quick ? 1 : 3),
  });
  return { kind: 'spellings', measured: { spellings }, table: spellingTable(spellings, SPELLED) };
}

/** Always includes raw SQL, the reference of all ratios. */
function chosen(servers: readonly string[] | undefined): Target[] {
  if (!servers) return TARGETS.filter(({ program }) => !VARIANTS.includes(program.name));
  return TARGETS.filter(
    ({ name, program }) => name === RAW.name || servers.includes(name) || servers.includes(program.name),
  );
}
