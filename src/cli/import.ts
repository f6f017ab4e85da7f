import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PlannedRecords, RESOURCE_NAMES, type ResourceName } from '../domain/bulk/batch.ts';
import { resourceOf } from '../domain/bulk/resources.ts';
import { invalidRequest } from '../domain/errors.ts';
import { getOrganization } from '../domain/organization.ts';
import { type DateOrder, dateOrderOf } from '../transfer/dates.ts';
import { type Format, inspectFile, resourceOfFile, type SourceFile } from '../transfer/file.ts';
import { type ImportResult, importFile } from '../transfer/import-file.ts';
import { createProgress, rateOf } from '../transfer/progress.ts';
import { actor } from './actor.ts';
import { answer, type Cli } from './cli.ts';
import { table } from './output.ts';
import { withStore } from './with-store.ts';

interface ImportCommandOptions {
  readonly organization: string;
  readonly resource?: ResourceName;
  readonly format?: Format;
  readonly map: ReadonlyMap<string, string>;
  readonly mapping?: string;
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
    .addOption(new Option('--resource <name>', 'what the files hold, where their names do not say').choices(RESOURCE_NAMES))
    .addOption(new Option('--format <format>', 'how they are written, where their names do not say').choices(['csv', 'ndjson']))
    .addOption(
      new Option('--map <column=field>', 'the field that a column is; COLUMN= leaves it out; may be repeated')
        .argParser(addColumn)
        .default(new Map(), 'by their names'),
    )
    .option('--mapping <file>', 'the same for many columns: a JSON object of fields by column')
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
  $ cms import --organization org_01j… --map 'Given Name=first_name' members.csv departments.ndjson`;

function addColumn(written: string, map: ReadonlyMap<string, string>): Map<string, string> {
  const at = written.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError("write it as 'Column=field'");
  return new Map([...map, [written.slice(0, at).trim(), written.slice(at + 1).trim()]]);
}

interface ImportedFile extends Omit<ImportResult, 'rejects'> {
  readonly file: string;
  readonly resource: ResourceName;
  readonly rejects_file: string | null;
  readonly seconds: number;
  readonly rows_per_second: number;
}

async function runImport(cli: Cli, paths: readonly string[], options: ImportCommandOptions): Promise<void> {
  const map = new Map([...(await readMapping(options.mapping)), ...options.map]);
  if (map.size > 0 && paths.length > 1) {
    throw invalidRequest({ field: '--map', message: 'is for the columns of one file; import the others by themselves' });
  }
  const files: { file: SourceFile; resource: ResourceName }[] = [];
  for (const path of paths) {
    files.push({ file: await inspectFile(path, options.format), resource: options.resource ?? resourceByName(path) });
  }
  const rank = ({ resource }: { resource: ResourceName }) => RESOURCE_NAMES.indexOf(resource);
  files.sort((one, other) => rank(one) - rank(other));
  await withStore(cli.environment, async (store) => {
    const organization = await getOrganization(store, options.organization);
    const dateOrder = options.dateFormat ? DATE_FORMATS[options.dateFormat] : dateOrderOf(organization.country);
    const planned = options.dryRun ? new PlannedRecords() : undefined;
    const runner = { pool: store.pool, organization, actor: actor() };
    const stop = stopOnInterrupt(cli);
    const done: ImportedFile[] = [];
    try {
      for (const { file, resource } of files) {
        if (stop.asked()) break;
        const display = createProgress(basename(file.path), cli.terminal, options.quiet || cli.json ? () => {} : cli.err);
        const started = performance.now();
        const result = await importFile(file, {
          ...{ runner, resource: resourceOf(resource), map, dateOrder, planned },
          rejectsFolder: options.rejects,
          stopped: stop.asked,
          onProgress: (progress) => display.show(progress),
        }).finally(() => display.end());
        done.push(imported(file, resource, result, (performance.now() - started) / 1_000));
      }
    } finally {
      stop.end();
    }
    const complete = done.length === files.length && done.every((one) => one.complete);
    if (done.some(({ rejected }) => rejected > 0)) cli.endWith(WITH_REJECTS);
    if (!complete) cli.endWith(STOPPED);
    await answer(cli, { dry_run: options.dryRun ?? false, complete, files: done }, () => human(done, complete, planned !== undefined));
  });
}

function imported(file: SourceFile, resource: ResourceName, result: ImportResult, seconds: number): ImportedFile {
  const { rejects, ...counts } = result;
  return {
    ...{ file: file.path, resource, ...counts, rejects_file: rejects },
    seconds: Math.round(seconds * 1_000) / 1_000,
    rows_per_second: rateOf(result.rows - result.resumed, seconds),
  };
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
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw refused(`cannot be read (${error.message})`);
  });
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

function human(files: readonly ImportedFile[], complete: boolean, isTrial: boolean): string {
  const lines = [
    table(
      files,
      {
        FILE: ({ file }) => basename(file),
        RESOURCE: ({ resource }) => resource,
        ROWS: ({ rows }) => rows,
        CREATED: ({ created }) => created,
        UPDATED: ({ updated }) => updated,
        UNCHANGED: ({ unchanged }) => unchanged,
        REJECTED: ({ rejected }) => rejected,
        SECONDS: ({ seconds }) => seconds.toFixed(1),
        'ROWS/S': ({ rows_per_second }) => rows_per_second,
      },
      'Nothing was done.',
    ),
  ];
  for (const { file, columns, resumed, rejects_file } of files) {
    const name = basename(file);
    const left = Object.keys(columns).filter((column) => columns[column] === null);
    if (isTrial) {
      const used = Object.entries(columns).filter(([, field]) => field !== null);
      lines.push(`${name}: columns ${used.map(([column, field]) => `${column} → ${field}`).join(', ') || 'none'}\n`);
    }
    if (left.length > 0) lines.push(`${name}: left out ${left.join(', ')}\n`);
    if (resumed > 0) lines.push(`${name}: went on after row ${resumed} of an interrupted import\n`);
    if (rejects_file !== null) lines.push(`${name}: rows that were not stored are in ${rejects_file}\n`);
  }
  if (isTrial) lines.push('This was a trial: nothing is stored.\n');
  else if (!complete) lines.push('Stopped. Run the same command again to go on.\n');
  return lines.join('');
}
