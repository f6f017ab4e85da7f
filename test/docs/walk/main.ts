import { fileURLToPath } from 'node:url';
import { formatOutcomes } from '../../runner/run-suite.ts';
import { walkDocuments } from './walk.ts';

// Follows the documents: `npm run test:docs`, or only some of them, `npm run test:docs contributing`.

const outcome = await walkDocuments(fileURLToPath(new URL('../../..', import.meta.url)), process.argv.slice(2));
for (const line of formatOutcomes([outcome])) process.stdout.write(`${line}\n`);
process.exitCode = outcome.failures.length > 0 ? 1 : 0;
