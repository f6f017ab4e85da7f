import { type Command, InvalidArgumentError, Option } from 'commander';
import { type FieldError, invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { type Cli, printResult } from '../cli.ts';
import { type Instance, startInstance } from '../instance.ts';
import { table } from '../output/output.ts';

interface InstancesOptions {
  readonly count: number;
}

/** Adds `instances`. */
export function addInstancesCommand(program: Command, cli: Cli): void {
  program
    .command('instances')
    .description('run several instances of the service on this machine until a signal stops them')
    .addOption(
      new Option('--count <number>', 'the number of instances, on consecutive ports from PORT')
        .default(3)
        .argParser(parseCount),
    )
    .addHelpText(
      'after',
      '\nThey share DATABASE_URL and REDIS_URL, which are required. METRICS_PORT, if set, is the port of the first instance;' +
        '\nthe others use the next ones. Addresses are printed once all instances are ready; logs go to standard error.' +
        '\nSIGTERM or Ctrl-C shuts all of them down gracefully.' +
        '\n\nExample:\n  $ DATABASE_URL=postgresql:///cms REDIS_URL=redis://127.0.0.1 cms instances --count 3',
    )
    .action(({ count }: InstancesOptions) => runInstances(cli, count));
}

async function runInstances(cli: Cli, count: number): Promise<void> {
  const settings = readSettings(cli.environment);
  const problems = findProblems(settings, count);
  if (problems.length > 0) throw invalidRequest(...problems);
  const instances: Instance[] = [];
  const stop = () => {
    for (const instance of instances) instance.stop();
  };
  const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'] as const;
  for (const event of events) process.on(event, stop);
  try {
    for (let n = 0; n < count; n++) instances.push(start(cli, settings, count, n));
    await untilEnded(cli, instances, stop);
  } catch (error) {
    stop();
    await Promise.all(instances.map(({ ended }) => ended));
    throw error;
  } finally {
    for (const event of events) process.off(event, stop);
  }
}

/**
 * Prints the addresses when all instances are ready, and waits until all have ended.
 *
 * @throws {ServiceError} `unavailable` if one did not end gracefully.
 */
async function untilEnded(cli: Cli, instances: readonly Instance[], stop: () => void): Promise<void> {
  // An instance that cannot start stops the others; one that ends later does not.
  let ready = false;
  const ends = instances.map(async ({ address, ended }) => {
    const reason = await ended;
    if (reason && ready && !cli.json) cli.err(`${address} ${reason}\n`);
    if (!ready) stop();
    return reason && `${address} ${reason}`;
  });
  const allEnded = Promise.all(ends);
  ready = await Promise.race([
    Promise.all(instances.map(({ ready }) => ready)).then(() => true),
    allEnded.then(() => false),
  ]);
  if (ready) await show(cli, instances);
  const failed = (await allEnded).filter((reason) => reason !== undefined);
  if (failed.length > 0) throw new ServiceError('unavailable', failed.join('; '));
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
  const addresses = instances.map(({ address, pid = null }) => ({ address, pid }));
  return printResult(cli, { instances: addresses }, ({ instances }) =>
    [
      table(instances, { ADDRESS: 'address', PID: 'pid' }, ''),
      '\nAll instances are ready. Stop them with Ctrl-C or SIGTERM.\n',
    ].join(''),
  );
}

/**
 * Returns the settings with which several instances cannot run: they need a shared store and shared rate-limit budgets.
 */
function findProblems({ databaseUrl, redisUrl, port, metricsPort }: Settings, count: number): FieldError[] {
  const problems: FieldError[] = [];
  const shared = 'must be set, because instances share it';
  if (!databaseUrl)
    problems.push({ field: 'DATABASE_URL', message: `${shared} (the embedded database serves one process)` });
  if (!redisUrl) problems.push({ field: 'REDIS_URL', message: `${shared}, for one rate-limit budget per key` });
  const range = `${count} consecutive ports`;
  if (port === 0 || port + count > 65_536) problems.push({ field: 'PORT', message: `must leave room for ${range}` });
  if (
    metricsPort !== undefined &&
    (metricsPort === 0 || metricsPort + count > 65_536 || Math.abs(metricsPort - port) < count)
  ) {
    problems.push({ field: 'METRICS_PORT', message: `must leave room for ${range}, separate from those of PORT` });
  }
  return problems;
}

function parseCount(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 99.');
}
