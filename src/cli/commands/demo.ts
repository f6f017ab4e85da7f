import type { Command } from 'commander';
import { type Demo, seedDemo } from '../../demo/demo.ts';
import type { Settings } from '../../settings.ts';
import { actor } from '../actor.ts';
import { answer, type Cli } from '../cli.ts';
import { record } from '../output.ts';
import { withStore } from '../with-store.ts';

/** Adds `demo`. */
export function addDemoCommand(program: Command, cli: Cli): void {
  program
    .command('demo')
    .description('make the demo organization with its records and a key, or bring it back to how it was')
    .addHelpText('after', '\nExample:\n  $ cms demo')
    .action(() =>
      withStore(
        cli.environment,
        async (store, settings) => {
          const demo = await seedDemo(store, settings.dataDirectory, actor());
          const { organizationId, organizationName, counts, key } = demo;
          await answer(cli, { organization_id: organizationId, organization_name: organizationName, counts, key }, () =>
            humanDemo(demo, settings),
          );
        },
        { schema: 'create' },
      ),
    );
}

function humanDemo({ organizationId, organizationName, counts, key }: Demo, settings: Settings): string {
  return [
    record({ organization_id: organizationId, organization_name: organizationName, ...counts, key }),
    '\nTry it while the service runs:\n\n',
    `  curl -H 'X-Api-Key: ${key}' '${addressOf(settings)}/v1/members?limit=2'\n`,
  ].join('');
}

/** Where the service can be reached from this computer. */
function addressOf({ host, port }: Settings): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
