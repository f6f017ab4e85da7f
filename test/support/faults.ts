import { pino } from 'pino';
import { LastingFault } from '../../src/observability/lasting-fault.ts';

/** A fault that is not logged. */
export function unloggedFault(): LastingFault {
  return new LastingFault(pino({ level: 'silent' }), { subject: 'A server', server: 'server', consequence: 'nothing' });
}
