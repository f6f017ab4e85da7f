import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { getOrganization } from '../../domain/admin/organization.ts';
import { invalidRequest } from '../../domain/core/errors.ts';
import { MAX_MAPPING_BYTES } from '../../domain/core/limits.ts';
import { type DateOrder, dateOrderOf } from '../../import-export/files/dates.ts';
import { type Format, inspectFile, resourceOfFile, type SourceFile } from '../../import-export/files/file.ts';
import { importFile } from '../../import-export/files/import-file.ts';
import { createProgress } from '../../import-export/files/progress.ts';
import { DryRunState, type ResourceName } from '../../import-export/records/batch.ts';
import { RESOURCE_NAMES, resourceOf } from '../../import-export/resources/registry.ts';
import { actor } from '../actor.ts';
import { answer, type Cli } from '../cli.ts';
import { type Imported, type ImportedFile, importedAsText, importedFile } from '../import-output.ts';
import { printable } from '../output.ts';
import { withStore } from '../with-store.ts';

interface ImportCommandOptions {
  readonly organization: string;
  readonly resource?: ResourceName;
  readonly format?: Format;
  readonly map: ReadonlyMap<string, string>;
  readonly mapping?: string;
  readonly externalId?: string;
  readonly dateFormat?: keyof typeof DATE_FORMATS;
  readonly rejects?: string;
  readonly dryRun?: true;
  readonly quiet?: true;
}

const DATE_FORMATS = { 'DD/MM/YYYY': 'DMY', 'MM/DD/YYYY': 'MDY', 'YYYY-MM-DD': 'YMD' } as const satisfies Record<
  string,
  DateOrder
>;

/** Some rows were rejected; the others are in. */
const WITH_REJECTS = 3;
/** As a shell says it of a command that Ctrl-C ended. */
const STOPPED = 130;

/** Adds `import`. */
export function addImportCommand(program: Command, cli: Cli): void {
  program
    .command('import')
    .description('bring records in from CSV or NDJSON files; again with the same files, it changes nothing')
    .argument('<files...>', `files named after what they hold: ${RESOURCE_NAMES.join(', ')}`)
    .requiredOption('--organization <id>', 'the organization')
    .addOption(
      new Option('--resource <name>', 'what the files hold, where their names do not say').choices(RESOURCE_NAMES),
    )
    .addOption(
      new Option('--format <format>', 'how they are written, where their names do not say').choices(['csv', 'ndjson']),
    )
    .addOption(
      new Option('--map <column=field>', 'the field that a column is; COLUMN= leaves it out; may be repeated')
        .argParser(addColumn)
        .default(new Map(), 'by their names'),
    )
    .option('--mapping <file>', 'the same for many columns: a JSON object of fields by column')
    .option(
      '--external-id <columns>',
      "the columns that together name a row for good, 'Title, Date', where it has no id",
    )
    .addOption(
      new Option('--date-format <format>', "how dates are written; the country's habit unless told").choices(
        Object.keys(DATE_FORMATS),
      ),
    )
    .option('--rejects <folder>', 'where rows that are not stored are written to (beside the file)')
    .option('--dry-run', 'check all rows and store none')
    .option('--quiet', 'do not show how far it is')
    .addHelpText('after', HELP)
    .action((files: string[], options: ImportCommandOptions) => runImport(cli, files, options));
}

const HELP = `
A row whose external_id is known changes that record, any other makes one. An empty cell says nothing;
nothing is ever deleted. An interrupted import goes on where it ended: run the same command again.

Example:
  $ cms import --organization org_01j… --dry-run members.csv
  $ cms import --organization org_01j… --map 'Given Name=first_name' members.csv
  $ cms import --organization org_01j… --external-id 'Title, Date' events.csv`;

function addColumn(written: string, map: ReadonlyMap<string, string>): Map<string, string> {
  const at = written.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError("write it as 'Column=field'");
  return new Map([...map, [written.slice(0, at).trim(), written.slice(at + 1).trim()]]);
}

async function runImport(cli: Cli, paths: readonly string[], options: ImportCommandOptions): Promise<void> {
  const map = new Map([...(await readMapping(options.mapping)), ...options.map]);
  const idColumns = (options.externalId ?? '').split(',').flatMap((name) => name.trim() || []);
  if ((map.size > 0 || idColumns.length > 0) && paths.length > 1) {
    const field = map.size > 0 ? '--map' : '--external-id';
    throw invalidRequest({ field, message: 'is for the columns of one file; import the others by themselves' });
  }
  const files = await inspectFiles(paths, options);
  await withStore(cli.environment, async (store) => {
    const organization = await getOrganization(store, options.organization);
    const dateOrder = options.dateFormat ? DATE_FORMATS[options.dateFormat] : dateOrderOf(organization.country);
    const reading = { map, idColumns, dateOrder, country: organization.country };
    const planned = options.dryRun ? new DryRunState() : undefined;
    const runner = { pool: store.pool, organization, actor: actor() };
    const stop = stopOnInterrupt(cli);
    const done: ImportedFile[] = [];
    try {
      for (const { file, resource } of files) {
        if (stop.asked()) break;
        const quiet = options.quiet || cli.json;
        const display = createProgress(printable(basename(file.path)), cli.terminal, quiet ? () => {} : cli.err);
        const started = performance.now();
        const result = await importFile(file, {
          reading: { ...reading, resource: resourceOf(resource) },
          ...{ runner, planned },
          rejectsFolder: options.rejects,
          stopped: stop.asked,
          onProgress: (progress) => display.show(progress),
        }).finally(() => display.end());
        done.push(importedFile(file.path, resource, result, (performance.now() - started) / 1_000));
      }
    } finally {
      stop.end();
      planned?.close();
    }
    const complete = done.length === files.length && done.every((one) => one.complete);
    if (done.some(({ rejected }) => rejected > 0)) cli.endWith(WITH_REJECTS);
    if (!complete) cli.endWith(STOPPED);
    const result: Imported = { dry_run: options.dryRun ?? false, complete, files: done };
    await answer(cli, result, importedAsText);
  });
}

/** Looks through all files before the first is brought in; those that others refer to come first. */
async function inspectFiles(
  paths: readonly string[],
  { resource, format }: ImportCommandOptions,
): Promise<{ readonly file: SourceFile; readonly resource: ResourceName }[]> {
  const files: { file: SourceFile; resource: ResourceName }[] = [];
  for (const path of paths) {
    files.push({ file: await inspectFile(path, format), resource: resource ?? resourceByName(path) });
  }
  const rank = (one: { resource: ResourceName }) => RESOURCE_NAMES.indexOf(one.resource);
  return files.sort((one, other) => rank(one) - rank(other));
}

function resourceByName(path: string): ResourceName {
  const resource = resourceOfFile(path);
  if (resource) return resource;
  const message = `its name does not tell what it holds: say so by --resource (${RESOURCE_NAMES.join(', ')})`;
  throw invalidRequest({ field: basename(path), message });
}

async function readMapping(file: string | undefined): Promise<Map<string, string>> {
  if (file === undefined) return new Map();
  const refused = (why: string) =>
    invalidRequest({ field: '--mapping', message: `${file} ${why}; it must be like {"Given Name": "first_name"}` });
  const text = await readBeginning(file, MAX_MAPPING_BYTES + 1).catch((error: Error) => {
    throw refused(`cannot be read (${error.message})`);
  });
  if (Buffer.byteLength(text) > MAX_MAPPING_BYTES) {
    throw refused(`is longer than ${MAX_MAPPING_BYTES / 1_048_576} MiB`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw refused('is no JSON');
  }
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [['', 0]];
  if (Array.isArray(value) || entries.some(([, field]) => typeof field !== 'string')) {
    throw refused('is no object of texts');
  }
  return new Map(entries as [string, string][]);
}

/** As much of a file as that: what is no mapping may be of any size. */
async function readBeginning(file: string, bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The first Ctrl-C lets the running batch end; a second one ends the process, and nothing is half-written. */
function stopOnInterrupt(cli: Cli): { asked(): boolean; end(): void } {
  let asked = false;
  const listen = () => {
    asked = true;
    if (!cli.json) cli.err('\nstopping after this batch\n');
  };
  process.once('SIGINT', listen);
  return { asked: () => asked, end: () => process.off('SIGINT', listen) };
}
