import { readFile, writeFile } from 'node:fs/promises';
import { dataModel, requestWay, standalone } from '../src/pages/reference/drawing.ts';
import { printSortedSchema, schema } from '../src/graphql/schema/schema.ts';
import { openApiDocument } from '../src/rest/openapi/document.ts';
import { withSettingsTable } from './settings-table.ts';

// Writes the files that are derived from the code: the descriptions of both APIs, the drawings, and the table of settings.

const OPERATIONS = 'docs/operations.md';

await write('openapi.json', openApiDocument());
await write('schema.graphql', printSortedSchema());
await write('docs/data-model.svg', standalone(dataModel(schema)));
await write('docs/request.svg', standalone(requestWay()));
await write(OPERATIONS, withSettingsTable(await read(OPERATIONS)));

/** Writes a file unless it is current. */
async function write(path: string, text: string): Promise<void> {
  const isCurrent = (await read(path)) === text;
  if (!isCurrent) await writeFile(addressOf(path), text);
  process.stdout.write(`${path}: ${isCurrent ? 'unchanged' : 'written'}\n`);
}

function read(path: string): Promise<string> {
  return readFile(addressOf(path), 'utf8').catch(() => '');
}

function addressOf(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
