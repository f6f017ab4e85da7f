import { type Command, InvalidArgumentError, Option } from 'commander';
import { readOrganization } from '../../domain/admin/organization.ts';
import { exportRecords } from '../../import-export/export.ts';
import type { Format } from '../../import-export/files/file.ts';
import { RESOURCE_NAMES } from '../../import-export/resources/registry.ts';
import type { Cli } from '../cli.ts';
import { repeatable, required } from '../options.ts';
import { showProgress } from '../output/copy-output.ts';
import { printable } from '../output/output.ts';
import { table } from '../output/table.ts';
import { storeAction } from '../with-store.ts';

interface ExportCommandOptions {
  readonly organization: string;
  readonly resource?: string[];
  readonly format: Format;
}

/** Adds `export`. */
export function addExportCommand(program: Command, cli: Cli): void {
  program
    .command('export')
    .description('export a snapshot of an organization to files that import accepts')
    .argument('<folder>', 'the target folder; existing files are replaced once the new ones are complete')
    .addOption(required('--organization <id>', 'the id of the organization'))
    .addOption(
      repeatable(
        new Option(
          '--resource <name>',
          `only this resource; repeatable (default: all): ${RESOURCE_NAMES.join(', ')}`,
        ).argParser(addResource),
      ),
    )
    .addOption(new Option('--format <format>', 'the file format').choices(['ndjson', 'csv']).default('ndjson'))
    .addHelpText('after', '\nExample:\n  $ ./cms export --organization org_01j… --format csv /var/exports/grace')
    .action(
      storeAction(
        cli,
        async ({ store }, folder: string, options: ExportCommandOptions) => {
          const { organization: id, resource: resources = [...RESOURCE_NAMES], format } = options;
          const organization = await readOrganization(store, id);
          const { onProgress, end } = showProgress(cli);
          const target = { pool: store.pool, organizationId: organization.id, resources, format, folder, onProgress };
          return { files: await exportRecords(target).finally(end) };
        },
        ({ files }, [folder]) =>
          `${table(cli.stdout, files, ['resource', 'rows', 'bytes'], '')}\nThe files are in ${printable(folder)}.\n`,
      ),
    );
}

function addResource(value: string, previous: string[] = []): string[] {
  const name = RESOURCE_NAMES.find((resource) => resource === value);
  if (!name) throw new InvalidArgumentError(`Allowed choices are ${RESOURCE_NAMES.join(', ')}.`);
  return [...previous, name];
}
