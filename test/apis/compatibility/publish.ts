import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { graphqlContract, openApiContract } from './contracts.ts';

/** Publishes the contracts of the repository, without documentation, under the current date. */
const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const folder = new URL(`published/${new Date().toISOString().slice(0, 10)}/`, import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL('openapi.json', folder),
  `${JSON.stringify(openApiContract(read('openapi.json')), undefined, 2)}\n`,
);
writeFileSync(new URL('schema.graphql', folder), graphqlContract(read('schema.graphql')));
