import { designation } from '../domain/designation.ts';
import { event } from '../domain/event.ts';
import { service } from '../domain/service.ts';
import { recordOf } from './entity-record.ts';

// The shapes of the records that responses contain.

export const designationRecord = recordOf(designation);
export const eventRecord = recordOf(event);
export const serviceRecord = recordOf(service);
