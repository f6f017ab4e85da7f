import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentRules } from './document-check.ts';
import type { CheckRequest, CheckResult, ValidationWorkerData } from './validation-messages.ts';

/** Added to the nice value of the thread. With a higher value, it could wait for seconds on a busy machine. */
const NICE_INCREMENT = 5;

// Ordinary requests take precedence. On Linux this is the priority of the thread; elsewhere it would be that of the process.
// Modules are loaded only now, at the lower priority, because loading takes as long as validating many documents.
if (process.platform === 'linux')
  setPriority(Math.min(getPriority() + NICE_INCREMENT, constants.priority.PRIORITY_LOW));
const { buildSchema } = await import('graphql');
const { ServiceError } = await import('../../domain/core/errors.ts');
const { parseWithinLimits } = await import('./parse.ts');
const { checkDocument, validateDocument } = await import('./document-check.ts');

// The schema is built from SDL: validation needs no resolvers, and importing them would take 30 MB.
const { sdl } = workerData as ValidationWorkerData;
const rules: DocumentRules = {
  schema: buildSchema(sdl, { assumeValid: true }),
  parse: parseWithinLimits,
  validate: validateDocument,
};

parentPort?.on('message', ({ id, source }: CheckRequest) => parentPort?.postMessage({ id, ...check(source) }));

function check(source: string): Omit<CheckResult, 'id'> {
  try {
    const checked = checkDocument(source, rules);
    return 'kind' in checked ? {} : { problems: checked };
  } catch (error) {
    if (error instanceof ServiceError) return { tooComplex: error.message };
    return { failure: String(error) };
  }
}
