import { createReadStream } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { readOrganization } from '../../domain/admin/organization.ts';
import { invalidRequest } from '../../domain/core/errors.ts';
import { MAX_MAPPING_BYTES } from '../../domain/values/limits.ts';
import { type Format, InvalidFileError, inspectFile, type SourceFile } from '../../import-export/files/file.ts';
import { createDryRunTables } from '../../import-export/import/dry-run-tables.ts';
import { type ImportOptions, importFile } from '../../import-export/import/import-file.ts';
import type { ImportProgress } from '../../import-export/import/import-run.ts';
import type { BatchOptions } from '../../import-export/records/batch.ts';
import { parseFillEmail } from '../../import-export/resources/member-addresses.ts';
import { RESOURCE_NAMES, resourceFromFileName, resourceOf } from '../../import-export/resources/registry.ts';
import { type DateOrder, dateOrderOf } from '../../import-export/rows/dates.ts';
import { actor, type Cli, printResult } from '../cli.ts';
import { repeatable } from '../options.ts';
import {
  createDisplay,
  type FileReport,
  fileReport,
  formatImportReport,
  type ImportReport,
  RESUME_ADVICE,
} from '../output/import-output.ts';
import { withStore } from '../with-store.ts';
import { assertUndoOptions, INTERRUPTED, runUndo, stopOnSignal } from './import-runs.ts';

interface ImportCommandOptions {
  readonly organization: string;
  readonly resource?: string;
  readonly format?: Format;
  readonly map: ReadonlyMap<string, string>;
  readonly mapping?: string;
  readonly externalId?: string;
  readonly source?: string;
  readonly trustEmail?: true;
  readonly fillEmail?: string;
  readonly dateFormat?: keyof typeof DATE_FORMATS;
  readonly rejects?: string;
  readonly dryRun?: true;
  readonly quiet?: true;
}

const DATE_FORMATS = { 'DD/MM/YYYY': 'DMY', 'MM/DD/YYYY': 'MDY', 'YYYY-MM-DD': 'YMD' } as const satisfies Record<
  string,
  DateOrder
>;

/** The exit code if some rows were rejected and the others stored. */
const SOME_REJECTED = 3;

/** Adds `import`. */
export function addImportCommand(program: Command, cli: Cli): void {
  program
    .command('import')
    .description('import records from CSV or NDJSON files; importing a file again creates no duplicates')
    .argument('[files...]', `files named after their resource: ${RESOURCE_NAMES.join(', ')}`)
    .option('--organization <id>', 'the id of the organization (required, except with --undo)')
    .addOption(
      new Option('--resource <name>', 'the resource, if the files are not named after it').choices(RESOURCE_NAMES),
    )
    .addOption(
      new Option('--format <format>', 'the file format, if the file names have another extension').choices([
        'csv',
        'ndjson',
      ]),
    )
    .addOption(
      repeatable(
        new Option('--map <column=field>', 'assign a column to a field; COLUMN= ignores the column; repeatable')
          .argParser(addColumn)
          .default(new Map(), 'match columns by name'),
      ),
    )
    .option('--mapping <file>', 'JSON file that maps columns and values; columns missing from the file are ignored')
    .option('--external-id <columns>', "columns that form the external id of rows without one, as in 'Title, Date'")
    .addOption(
      new Option('--source <name>', 'the source system of the external ids, such as crm').argParser(parseSource),
    )
    .option('--trust-email', 'match stored members by email address even if the first names differ')
    .option(
      '--fill-email <template>',
      `the address of new members without one, as in '{external_id}@people.example.org'`,
    )
    .addOption(
      new Option('--date-format <format>', "the date format (default: that of the organization's country)").choices(
        Object.keys(DATE_FORMATS),
      ),
    )
    .option('--rejects <folder>', 'the folder for files of rejected rows (default: that of the imported file)')
    .option('--dry-run', 'import into copies of the tables, and report what would happen')
    .option(
      '--undo <run-id>',
      'take back an import of the last 30 days, except what was changed since; see import-runs',
    )
    .option('--quiet', 'do not show progress')
    .addHelpText('after', HELP)
    .action(async (files: string[], options: ImportCommandOptions & { undo?: string }, command: Command) => {
      if (options.undo !== undefined) {
        assertUndoOptions(command, files);
        return runUndo(cli, options);
      }
      if (files.length === 0) command.error("error: missing required argument 'files'");
      if (options.organization === undefined)
        throw invalidRequest({ field: '--organization', message: 'required (the id of the organization)' });
      return runImport(cli, files, options);
    });
}

const HELP = `
A row that matches a record, by its external_id or by another column such as the email address, updates the record;
any other row creates one. A row that matches a member but has another name is rejected. Empty CSV cells are ignored,
and nothing is deleted. To resume an interrupted import, run the same command again.

Examples:
  $ ./cms import --organization org_01j… --dry-run members.csv
  $ ./cms import --organization org_01j… --map 'Given Name=first_name' members.csv
  $ ./cms import --organization org_01j… --source newsletter members.csv
  $ ./cms import --organization org_01j… --external-id 'Title, Date' events.csv
  $ ./cms import --undo imp_01j… --dry-run`;

/** The format of --source: exports write external ids as `SOURCE:ID`. */
const SOURCE = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,62}$/u;

function parseSource(name: string): string {
  if (!SOURCE.test(name))
    throw new InvalidArgumentError(
      'The name must begin with a letter or digit, and may have up to 63 letters, digits, ., _ and -.',
    );
  return name.normalize('NFC');
}

function addColumn(argument: string, map: ReadonlyMap<string, string>): Map<string, string> {
  const at = argument.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError("The format is 'Column=field'.");
  const column = argument.slice(0, at).trim();
  if (map.has(column)) throw new InvalidArgumentError('The column is assigned already.');
  return new Map([...map, [column, argument.slice(at + 1).trim()]]);
}

async function runImport(cli: Cli, paths: readonly string[], options: ImportCommandOptions): Promise<void> {
  const mapping = await readMapping(options.mapping);
  const map = new Map([...Object.entries(mapping.columns), ...options.map]);
  const idColumns = (options.externalId ?? '').split(',').flatMap((name) => name.trim() || []);
  const hasMapping = map.size > 0 || options.mapping !== undefined;
  if ((hasMapping || idColumns.length > 0) && paths.length > 1) {
    const mapOption = options.map.size > 0 ? '--map' : '--mapping';
    const field = hasMapping ? mapOption : '--external-id';
    throw invalidRequest({ field, message: 'applies to one file only; import the others separately' });
  }
  const fillEmail = options.fillEmail === undefined ? undefined : parseFillEmail(options.fillEmail);
  const files = await inspectFiles(paths, options);
  await withStore(cli, async (store) => {
    const organization = await readOrganization(store, options.organization);
    const dateOrder = options.dateFormat ? DATE_FORMATS[options.dateFormat] : dateOrderOf(organization.country);
    const { country, time_zone: timeZone } = organization;
    // A mapping file describes all files of a system, which need not have every column.
    const optionalColumns = new Set(Object.keys(mapping.columns).filter((column) => !options.map.has(column)));
    const rules = { country, timeZone };
    const readOptions = { map, optionalColumns, valueMap: mapping.values, idColumns, dateOrder, organization: rules };
    const { source = '', trustEmail: trustsAddresses = false } = options;
    const batchOptions = { pool: store.pool, organization, actor: actor(), source, trustsAddresses, fillEmail };
    const imported = await importFiles(cli, files, options, batchOptions, (resource) => ({
      readOptions: { ...readOptions, resource: resourceOf(resource) },
      rejectsFolder: options.rejects,
    }));
    const complete = imported.length === files.length && imported.every(({ complete }) => complete);
    if (imported.some(({ rejected }) => rejected > 0)) cli.setExitCode(SOME_REJECTED);
    if (!complete) cli.setExitCode(INTERRUPTED);
    const result: ImportReport = { dry_run: options.dryRun ?? false, complete, files: imported };
    await printResult(cli, result, (report) => {
      const ending = complete || report.dry_run ? '' : `Interrupted. ${RESUME_ADVICE}\n`;
      return formatImportReport(cli.stdout, report) + ending;
    });
  });
}

/** Imports files one after the other, until a signal asks to stop. Returns the reports of those that were begun. */
async function importFiles(
  cli: Cli,
  files: readonly InspectedFile[],
  options: ImportCommandOptions,
  batchOptions: BatchOptions,
  optionsOf: (resource: string) => Pick<ImportOptions, 'readOptions' | 'rejectsFolder'>,
): Promise<FileReport[]> {
  const dryRun = options.dryRun ? await createDryRunTables(batchOptions) : undefined;
  const interrupt = stopOnSignal(cli);
  const imported: FileReport[] = [];
  let rowsOfFile = 0;
  try {
    for (const { file, resource } of files) {
      if (interrupt.isRequested()) break;
      const display = createDisplay(cli, file.path, options.quiet);
      const started = performance.now();
      const onProgress = (progress: ImportProgress) => {
        rowsOfFile = progress.rows;
        display.show(progress);
      };
      const result = await importFile(file, {
        ...optionsOf(resource),
        batchOptions,
        dryRun,
        shouldStop: interrupt.isRequested,
        onProgress,
      }).finally(() => display.end());
      imported.push(fileReport(file.path, resource, result, (performance.now() - started) / 1_000));
      rowsOfFile = 0;
    }
    return imported;
  } catch (error) {
    // The files before the one that failed are imported: their counts and rejects files must not be lost.
    const result: ImportReport = { dry_run: options.dryRun ?? false, complete: false, files: imported };
    if (imported.length > 0) await printResult(cli, result, (report) => formatImportReport(cli.stdout, report));
    const rows = imported.reduce((sum, file) => sum + file.rows, rowsOfFile);
    if (rows > 0 && !dryRun && !cli.json) {
      // A rejected file must be corrected, and a corrected file is imported from its first row.
      const advice = error instanceof InvalidFileError ? '' : ` ${RESUME_ADVICE}`;
      cli.err(`${rows} ${rows === 1 ? 'row was' : 'rows were'} processed before this error.${advice}\n`);
    }
    throw error;
  } finally {
    interrupt.end();
    await dryRun?.drop();
  }
}

interface InspectedFile {
  readonly file: SourceFile;
  readonly resource: string;
}

/** Inspects all files before the first one is imported, and sorts them so that referenced resources come first. */
async function inspectFiles(
  paths: readonly string[],
  { resource, format }: ImportCommandOptions,
): Promise<InspectedFile[]> {
  const files: InspectedFile[] = [];
  for (const path of paths) {
    files.push({ file: await inspectFile(path, format), resource: resource ?? resourceByName(path) });
  }
  return files.sort((a, b) => RESOURCE_NAMES.indexOf(a.resource) - RESOURCE_NAMES.indexOf(b.resource));
}

function resourceByName(path: string): string {
  const resource = resourceFromFileName(path);
  if (resource) return resource;
  const message = `it is not named after a resource; set --resource (${RESOURCE_NAMES.join(', ')})`;
  throw new InvalidFileError(path, message);
}

const texts = z.record(z.string(), z.string());
/** Fields by column, of which an empty one ignores the column; and values by text, by field. */
const columnsAndValues = z.strictObject({
  columns: texts.default({}),
  values: z.record(z.string(), texts).default({}),
});
/** Only the columns, or columns and values. */
const mappingFile = z.union([texts.transform((columns) => ({ columns, values: {} })), columnsAndValues]);

const EXAMPLE =
  'it must be a JSON object like {"columns": {"Given Name": "first_name"}, "values": {"gender": {"Woman": "Female"}}}';

/**
 * Reads a file that maps columns to fields, and texts to values. It is an object with `columns` and `values`, or only
 * that of the columns.
 *
 * @param file undefined for no mapping.
 * @throws {ServiceError} `invalid_request` if it cannot be read, is too long, or does not have this structure.
 */
export async function readMapping(file: string | undefined): Promise<z.output<typeof columnsAndValues>> {
  if (file === undefined) return { columns: {}, values: {} };
  const invalidMapping = (reason: string) =>
    invalidRequest({ field: '--mapping', message: `${file} ${reason}; ${EXAMPLE}` });
  const text = await readUpTo(file, MAX_MAPPING_BYTES + 1).catch((error: Error) => {
    throw invalidMapping(`cannot be read (${error.message})`);
  });
  if (Buffer.byteLength(text) > MAX_MAPPING_BYTES) {
    throw invalidMapping(`is longer than ${MAX_MAPPING_BYTES / 1_048_576} MiB`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw invalidMapping('is not valid JSON');
  }
  const { data } = mappingFile.safeParse(value);
  if (data) return data;
  const [issue] = columnsAndValues.safeParse(value).error?.issues ?? [];
  const prefix = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  throw invalidMapping(`is not a mapping (${prefix}${issue?.message})`);
}

/** Reads at most this many bytes of a file. */
async function readUpTo(file: string, bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
