import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../src/rest/openapi/document.ts';

await writeFile(new URL('../openapi.json', import.meta.url), openApiDocument());
process.stdout.write('Wrote openapi.json\n');
