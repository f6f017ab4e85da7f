import { Command, Option } from 'commander';
import { compare } from './compare.ts';
import { removeCreated } from './data/created.ts';
import { makeDataSet } from './data/make.ts';
import { readDataSet } from './data-set.ts';
import { createProgress } from './report/progress.ts';
import { publish } from './report/publish.ts';
import { ratioTable } from './report/table.ts';
import { RAW, TARGETS, type Target } from './targets.ts';
import { WORKLOADS } from './workloads.ts';

interface Options {
  readonly members: number;
  readonly organizations: readonly number[];
  readonly only?: readonly string[];
  readonly servers?: readonly string[];
  readonly seconds?: number;
  readonly rounds?: number;
  readonly quick: boolean;
  readonly publish: boolean;
}

const server = process.env.BENCH_DATABASE_URL ?? 'postgresql://root@127.0.0.1:5432/postgres';
const CONNECTIONS = 32;
const names = (text: string) => text.split(',');

const program = new Command('bench')
  .description('Compares the service with raw SQL and with a common GraphQL server.')
  .option('--members <count>', 'the number of members in each data set', Number, 1_000_000)
  .addOption(
    new Option('--organizations <counts>', 'data sets with these numbers of organizations, a table each')
      .argParser((text) => text.split(',').map(Number))
      .default([16, 1], '16,1'),
  )
  .addOption(
    new Option('--only <workloads>', `some of ${WORKLOADS.map(({ name }) => name).join(', ')}`).argParser(names),
  )
  .addOption(
    new Option('--servers <names>', `some of service, ${TARGETS.map(({ name }) => name).join(', ')}`).argParser(names),
  )
  .option('--seconds <count>', 'seconds per server and round (8; with --quick 2)', Number)
  .option('--rounds <count>', 'the number of rounds (3; with --quick 1)', Number)
  .option('--quick', 'a run of about two minutes with less accurate results', false)
  .option('--publish', 'store the results in test/bench/results, and update test/bench/README.md', false)
  .action(bench);

await program.parseAsync();

async function bench(options: Options): Promise<void> {
  const { quick } = options;
  const progress = createProgress();
  for (const organizations of options.organizations) {
    const dataSet = await readDataSet(await makeDataSet(server, { members: options.members, organizations }, progress));
    await removeCreated(dataSet.databaseUrl);
    const targets = chosen(options.servers);
    const measured = await compare({
      dataSet,
      progress,
      targets,
      connections: CONNECTIONS,
      workloads: WORKLOADS.filter(({ name }) => options.only?.includes(name) ?? true),
      rounds: options.rounds ?? (quick ? 1 : 3),
      seconds: options.seconds ?? (quick ? 2 : 8),
      warmUpSeconds: quick ? 0.5 : 2,
    });
    const result = { members: dataSet.members, organizations, connections: CONNECTIONS, measured };
    const table = ratioTable(measured, targets);
    process.stdout.write(`${organizations} organizations, ${dataSet.members} members\n\n${table}\n`);
    if (options.publish) await publish(organizations > 1 ? 'organizations' : 'organization', result, table);
  }
}

/** Always includes raw SQL, the reference of all ratios. */
function chosen(servers: readonly string[] | undefined): readonly Target[] {
  if (!servers) return TARGETS;
  return TARGETS.filter(
    ({ name, program }) => name === RAW.name || servers.includes(name) || servers.includes(program.name),
  );
}
