import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { graphqlContract, openApiContract } from './contracts.ts';

const PUBLISHED = new URL('published/', import.meta.url);

/**
 * Publishes the contracts of the repository, without documentation.
 *
 * @param version the name of the version: its date.
 * @throws if the version is published: clients rely on it.
 */
export function publishContracts(version: string, published = PUBLISHED): void {
  const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const folder = new URL(`${version}/`, published);
  if (existsSync(folder)) {
    throw new Error(
      `${fileURLToPath(folder)} is published already, and clients rely on it. Publish again another day.`,
    );
  }
  mkdirSync(folder, { recursive: true });
  const openApi = openApiContract(read('openapi.json'));
  writeFileSync(new URL('openapi.json', folder), `${JSON.stringify(openApi, undefined, 2)}\n`);
  writeFileSync(new URL('schema.graphql', folder), graphqlContract(read('schema.graphql')));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const today = new Date().toISOString().slice(0, 10);
  try {
    publishContracts(today);
    process.stdout.write(`Published ${today}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
