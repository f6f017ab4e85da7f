import { department } from '../domain/department.ts';
import { designation } from '../domain/designation.ts';
import { event } from '../domain/event.ts';
import { form } from '../domain/form.ts';
import { formResponse } from '../domain/form-response.ts';
import { member } from '../domain/member.ts';
import { prayerRequest } from '../domain/prayer-request.ts';
import { service } from '../domain/service.ts';
import { tag } from '../domain/tag.ts';
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
