import { designation } from '../domain/designation.ts';
import { event } from '../domain/event.ts';
import { prayerRequest } from '../domain/prayer-request.ts';
import { service } from '../domain/service.ts';
import { tag } from '../domain/tag.ts';
import { recordOf } from './entity-record.ts';

// The shapes of the records that responses contain.

export const designationRecord = recordOf(designation);
export const eventRecord = recordOf(event);
export const prayerRequestRecord = recordOf(prayerRequest);
export const serviceRecord = recordOf(service);
export const tagRecord = recordOf(tag);
