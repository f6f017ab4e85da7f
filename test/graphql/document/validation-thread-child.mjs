import { ValidationThread } from '../../../dist/graphql/document/validation-thread.js';
import { schema } from '../../../dist/graphql/schema/schema.js';

// After the check, only the thread could keep this process alive.
const waiting = setInterval(() => {}, 1_000);
const problems = await new ValidationThread(schema, { idleMs: 3_600_000 }).check('{ unknown }');
clearInterval(waiting);
process.stdout.write(`${problems?.length} problem\n`);
