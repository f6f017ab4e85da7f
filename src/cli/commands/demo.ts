import type { Command } from 'commander';
import { type Demo, seedDemo } from '../../demo/demo.ts';
import { styled } from '../../processes/terminal.ts';
import type { Settings } from '../../settings.ts';
import { actor, type Cli, printResult } from '../cli.ts';
import { record } from '../output/output.ts';
import { withStore } from '../with-store.ts';

/** Adds `demo`. */
export function addDemoCommand(program: Command, cli: Cli): void {
  program
    .command('demo')
    .description('create the demo organization with records and a key, or reset it')
    .addHelpText('after', '\nExample:\n  $ ./cms demo')
    .action(() =>
      withStore(
        cli,
        async (store, settings) => {
          const demo = await seedDemo(store, settings.dataDirectory, actor());
          const { organizationId, organizationName, counts, key } = demo;
          await printResult(
            cli,
            { organization_id: organizationId, organization_name: organizationName, counts, key },
            () => formatDemo(cli, demo, settings),
          );
        },
        { schema: 'create' },
      ),
    );
}

function formatDemo(
  { stdout }: Cli,
  { organizationId, organizationName, counts, key }: Demo,
  settings: Settings,
): string {
  return [
    record(stdout, { organization_id: organizationId, organization_name: organizationName, ...counts }),
    `${styled(stdout, 'dim', 'key:')} ${styled(stdout, 'green', key)}\n`,
    '\nTry it while the service is running:\n\n',
    `  curl -H 'X-Api-Key: ${key}' '${addressOf(settings)}/v1/members?limit=2'\n`,
  ].join('');
}

/** The address of the service on this machine. */
function addressOf({ host, port }: Settings): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
