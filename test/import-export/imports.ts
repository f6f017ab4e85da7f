import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrganization } from '../../src/domain/admin/organization.ts';
import { exportRecords } from '../../src/import-export/export.ts';
import { type Format, inspectFile } from '../../src/import-export/files/file.ts';
import { createDryRunTables, type DryRunTables } from '../../src/import-export/import/dry-run-tables.ts';
import { importFile } from '../../src/import-export/import/import-file.ts';
import type { ImportResult } from '../../src/import-export/import/import-run.ts';
import { type UndoOptions, type UndoResult, undoImport } from '../../src/import-export/import/undo-import.ts';
import { RESOURCE_NAMES, resourceFromFileName, resourceOf } from '../../src/import-export/resources/registry.ts';
import { type DateOrder, dateOrderOf } from '../../src/import-export/rows/dates.ts';
import type { ReadOptions } from '../../src/import-export/rows/read-row.ts';
import type { Store } from '../../src/store/store.ts';

interface ImportSettings extends Partial<Pick<ReadOptions, 'optionalColumns' | 'valueMap'>> {
  readonly map?: Record<string, string>;
  readonly idColumns?: readonly string[];
  readonly dateOrder?: DateOrder;
  /** Tables can be shared by several files, like those of one command. */
  readonly dryRun?: boolean | DryRunTables;
  readonly source?: string;
  readonly trustsAddresses?: boolean;
  readonly fillEmail?: string | undefined;
  readonly shouldStop?: () => boolean;
  /** Called with the path of the file after each batch. */
  readonly onProgress?: (path: string) => void;
}

/** The result of an import, with the lines of its rejects file. */
export interface TestImport extends ImportResult {
  readonly rejectLines: readonly string[];
}

/** Imports a file with this name and content, like the command. */
export async function importText(
  store: Pick<Store, 'pool' | 'prisma'>,
  organizationId: string,
  name: string,
  content: string | Buffer,
  {
    map = {},
    idColumns = [],
    dateOrder,
    dryRun = false,
    source = '',
    trustsAddresses = false,
    fillEmail,
    optionalColumns,
    valueMap,
    shouldStop = () => false,
    onProgress = () => {},
  }: ImportSettings = {},
): Promise<TestImport> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-import-'));
  let ownTables: DryRunTables | undefined;
  try {
    const path = join(folder, name);
    await writeFile(path, content);
    const organization = await readOrganization(store, organizationId);
    const { country, time_zone: timeZone } = organization;
    const batchOptions = { pool: store.pool, organization, actor: 'test', source, trustsAddresses, fillEmail };
    if (dryRun === true) ownTables = await createDryRunTables(batchOptions);
    const result = await importFile(await inspectFile(path), {
      batchOptions,
      readOptions: {
        resource: resourceOf(resourceFromFileName(name) as string),
        map: new Map(Object.entries(map)),
        idColumns,
        dateOrder: dateOrder ?? dateOrderOf(country),
        ...(optionalColumns && { optionalColumns }),
        ...(valueMap && { valueMap }),
        organization: { country, timeZone },
      },
      dryRun: typeof dryRun === 'object' ? dryRun : ownTables,
      shouldStop,
      onProgress: () => onProgress(path),
    });
    const rejects = result.rejects === null ? '' : await readFile(result.rejects, 'utf8');
    return {
      ...result,
      rejectLines: rejects
        .replace(/^\ufeff/, '')
        .split('\n')
        .slice(0, -1),
    };
  } finally {
    await ownTables?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Undoes an import, like the command. */
export async function undo(
  store: Pick<Store, 'pool' | 'prisma'>,
  organizationId: string,
  runId: string | null,
  {
    dryRun = false,
    shouldStop = () => false,
    onProgress = () => {},
  }: Pick<ImportSettings, 'shouldStop'> & {
    readonly dryRun?: boolean;
    readonly onProgress?: UndoOptions['onProgress'];
  } = {},
): Promise<UndoResult> {
  const organization = await readOrganization(store, organizationId);
  const batchOptions = { pool: store.pool, organization, actor: 'test', source: '', trustsAddresses: false };
  const tables = dryRun ? await createDryRunTables(batchOptions, runId ?? '') : undefined;
  const undone = undoImport({ batchOptions, dryRun: tables, runId: runId ?? '', shouldStop, onProgress });
  return undone.finally(() => tables?.drop());
}

/** Records as NDJSON. */
export function ndjson(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** The contents of exported files by name. */
export async function exportText(
  { pool }: Pick<Store, 'pool'>,
  organizationId: string,
  format: Format = 'ndjson',
  resources: readonly string[] = RESOURCE_NAMES,
): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-export-'));
  try {
    await exportRecords({ pool, organizationId, resources, format, folder, onProgress: () => {} });
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return Object.fromEntries(names.map((name, index) => [name, texts[index] as string]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The exported records of one resource. */
// biome-ignore lint/suspicious/noExplicitAny: records of any resource
export async function exported(store: Store, organizationId: string, resource: string): Promise<any[]> {
  const files = await exportText(store, organizationId, 'ndjson', [resource]);
  const lines = (files[`${resource}.ndjson`] ?? '').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** The reasons for which the rows of an import were rejected: a text for each row. */
export function reasons({ rejected_rows }: Pick<ImportResult, 'rejected_rows'>): string[] {
  return rejected_rows.map(({ problems }) => problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
}

/** The codes of these reasons. */
export function codes({ rejected_rows }: Pick<ImportResult, 'rejected_rows'>): string[] {
  return rejected_rows.flatMap(({ problems }) => problems.map(({ code }) => code));
}
