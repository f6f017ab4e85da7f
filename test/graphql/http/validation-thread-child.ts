import { ValidationThread } from '../../../src/graphql/http/validation-thread.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';

// Nothing keeps this process alive after the check, unless the thread does.
const waiting = setInterval(() => {}, 1_000);
const problems = await new ValidationThread(schema, { idleMs: 3_600_000 }).check('{ unknown }');
clearInterval(waiting);
process.stdout.write(`${problems?.length} problem\n`);
