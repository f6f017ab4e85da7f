import { type Command, InvalidArgumentError, Option } from 'commander';
import { getOrganization } from '../../domain/admin/organization.ts';
import { exportRecords } from '../../import-export/files/export.ts';
import type { Format } from '../../import-export/files/file.ts';
import type { ResourceName } from '../../import-export/records/batch.ts';
import { RESOURCE_NAMES } from '../../import-export/resources/registry.ts';
import { answer, type Cli } from '../cli.ts';
import { showProgress } from '../copy-output.ts';
import { table } from '../output.ts';
import { withStore } from '../with-store.ts';

interface ExportCommandOptions {
  readonly organization: string;
  readonly resource?: ResourceName[];
  readonly format: Format;
}

/** Adds `export`. */
export function addExportCommand(program: Command, cli: Cli): void {
  program
    .command('export')
    .description('write the records of an organization into files that import reads, as they are at one moment')
    .argument('<folder>', 'the folder; older files in it are replaced when the new ones are complete')
    .requiredOption('--organization <id>', 'the organization')
    .option('--resource <name>', `only this one; may be repeated (all): ${RESOURCE_NAMES.join(', ')}`, addResource)
    .addOption(new Option('--format <format>', 'how they are written').choices(['ndjson', 'csv']).default('ndjson'))
    .addHelpText('after', '\nExample:\n  $ cms export --organization org_01j… --format csv /var/exports/grace')
    .action((folder: string, { organization: id, resource = [...RESOURCE_NAMES], format }: ExportCommandOptions) =>
      withStore(cli.environment, async (store) => {
        const organization = await getOrganization(store, id);
        const { onProgress, end } = showProgress(cli);
        const files = await exportRecords({
          ...{ pool: store.pool, organizationId: organization.id, resources: resource, format, folder, onProgress },
        }).finally(end);
        await answer(cli, { files }, () =>
          table(files, { FILE: ({ file }) => file, ROWS: ({ rows }) => rows, BYTES: ({ bytes }) => bytes }, ''),
        );
      }),
    );
}

function addResource(written: string, before: ResourceName[] = []): ResourceName[] {
  const name = RESOURCE_NAMES.find((known) => known === written);
  if (!name) throw new InvalidArgumentError(`Allowed choices are ${RESOURCE_NAMES.join(', ')}.`);
  return [...before, name];
}
