import { fileURLToPath } from 'node:url';
import { runReadmeCommands } from './readme-commands.ts';
import { formatOutcomes } from './run-suite.ts';

// Runs the commands of README in a clone, see `runReadmeCommands`.

const outcome = await runReadmeCommands(fileURLToPath(new URL('../..', import.meta.url)));
for (const line of formatOutcomes([outcome])) process.stdout.write(`${line}\n`);
process.exitCode = outcome.failures.length > 0 ? 1 : 0;
