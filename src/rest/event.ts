import { event } from '../domain/event.ts';
import { recordOf } from './entity-record.ts';

/** An event. */
export const eventRecord = recordOf(event);
