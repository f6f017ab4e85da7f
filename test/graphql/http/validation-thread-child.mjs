import { ValidationThread } from '../../../dist/graphql/http/validation-thread.js';
import { schema } from '../../../dist/graphql/schema/schema.js';

// Nothing keeps this process alive after the check, unless the thread does.
const waiting = setInterval(() => {}, 1_000);
const problems = await new ValidationThread(schema, { idleMs: 3_600_000 }).check('{ unknown }');
clearInterval(waiting);
process.stdout.write(`${problems?.length} problem\n`);
