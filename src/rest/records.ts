import { department } from '../domain/entities/department.ts';
import { designation } from '../domain/entities/designation.ts';
import { event } from '../domain/entities/event.ts';
import { form } from '../domain/entities/form.ts';
import { formResponse } from '../domain/entities/form-response.ts';
import { member } from '../domain/entities/member.ts';
import { prayerRequest } from '../domain/entities/prayer-request.ts';
import { service } from '../domain/entities/service.ts';
import { tag } from '../domain/entities/tag.ts';
import { recordOf } from './entity-record.ts';

// The shapes of the records that responses contain.

export const departmentRecord = recordOf(department);
export const designationRecord = recordOf(designation);
export const eventRecord = recordOf(event);
export const formRecord = recordOf(form);
export const formResponseRecord = recordOf(formResponse);
export const memberRecord = recordOf(member);
export const prayerRequestRecord = recordOf(prayerRequest);
export const serviceRecord = recordOf(service);
export const tagRecord = recordOf(tag);
