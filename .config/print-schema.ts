import { writeFile } from 'node:fs/promises';
import { printSortedSchema } from '../src/graphql/schema/print.ts';

await writeFile(new URL('../schema.graphql', import.meta.url), printSortedSchema());
process.stdout.write('Wrote schema.graphql\n');
