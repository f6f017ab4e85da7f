import { type Command, InvalidArgumentError, Option } from 'commander';
import { type FieldError, invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { answer, type Cli } from '../cli.ts';
import { type Instance, startInstance } from '../instance.ts';
import { table } from '../output.ts';

interface InstancesOptions {
  readonly count: number;
}

/** Adds `instances`. */
export function addInstancesCommand(program: Command, cli: Cli): void {
  program
    .command('instances')
    .description('run several instances of the service on this machine, until a signal ends them')
    .addOption(
      new Option('--count <number>', 'how many, on consecutive ports from PORT').default(3).argParser(countOfInstances),
    )
    .addHelpText(
      'after',
      '\nThey share DATABASE_URL and REDIS_URL, which must be set; METRICS_PORT, where it is set, is the first one’s.' +
        '\nAddresses are shown once all of them take requests, their logs on standard error. SIGTERM or Ctrl-C:' +
        '\nall answer what is in flight, then the command ends.' +
        '\n\nExample:\n  $ DATABASE_URL=postgresql:///cms REDIS_URL=redis://127.0.0.1 cms instances --count 3',
    )
    .action(({ count }: InstancesOptions) => runInstances(cli, count));
}

async function runInstances(cli: Cli, count: number): Promise<void> {
  const settings = readSettings(cli.environment);
  const wrong = problemsOf(settings, count);
  if (wrong.length > 0) throw invalidRequest(...wrong);
  const instances = Array.from({ length: count }, (_, n) => start(cli, settings, count, n));
  const stop = () => {
    for (const instance of instances) instance.stop();
  };
  const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'] as const;
  for (const event of events) process.on(event, stop);
  // One that cannot start takes the others with it; one that ends later leaves them to answer.
  let ready = false;
  const ends = instances.map(async ({ address, ended }) => {
    const how = await ended;
    if (how && ready && !cli.json) cli.err(`${address} ${how}\n`);
    if (!ready) stop();
    return how && `${address} ${how}`;
  });
  const allEnded = Promise.all(ends);
  try {
    ready = await Promise.race([
      Promise.all(instances.map(({ ready }) => ready)).then(() => true),
      allEnded.then(() => false),
    ]);
    if (ready) await show(cli, instances);
    const failed = (await allEnded).filter((how) => how !== undefined);
    if (failed.length > 0) throw new ServiceError('unavailable', failed.join('; '));
  } finally {
    for (const event of events) process.off(event, stop);
  }
}

function start(cli: Cli, settings: Settings, count: number, n: number): Instance {
  const { host, metricsPort } = settings;
  const port = settings.port + n;
  const environment = {
    ...cli.environment,
    PORT: String(port),
    INSTANCES: String(count),
    ...(metricsPort === undefined ? {} : { METRICS_PORT: String(metricsPort + n) }),
  };
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return startInstance(address, environment, (line) => cli.err(cli.json ? `${line}\n` : `${port} | ${line}\n`));
}

function show(cli: Cli, instances: readonly Instance[]): Promise<void> {
  const shown = instances.map(({ address, pid = null }) => ({ address, pid }));
  return answer(cli, { instances: shown }, ({ instances }) =>
    [
      table(instances, { ADDRESS: ({ address }) => address, PID: ({ pid }) => pid }, ''),
      '\nAll take requests. End them with Ctrl-C or SIGTERM.\n',
    ].join(''),
  );
}

/** Several instances need one store and one count of each budget. */
function problemsOf({ databaseUrl, redis, port, metricsPort }: Settings, count: number): FieldError[] {
  const wrong: FieldError[] = [];
  const why = 'must be set: instances share it';
  if (!databaseUrl) wrong.push({ field: 'DATABASE_URL', message: `${why} (the embedded database has one process)` });
  if (!redis) wrong.push({ field: 'REDIS_URL', message: `${why}, so that there is one budget a key` });
  const ports = `${count} ports from it`;
  if (port === 0 || port + count > 65_536) wrong.push({ field: 'PORT', message: `must leave room for ${ports}` });
  if (metricsPort !== undefined && Math.abs(metricsPort - port) < count) {
    wrong.push({ field: 'METRICS_PORT', message: `must leave room for ${ports}, apart from those of PORT` });
  }
  return wrong;
}

function countOfInstances(written: string): number {
  if (/^[1-9]\d?$/.test(written)) return Number(written);
  throw new InvalidArgumentError('It must be a whole number from 1 to 99.');
}
