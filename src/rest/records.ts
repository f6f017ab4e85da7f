import { department } from '../domain/entities/department.ts';
import { designation } from '../domain/entities/designation.ts';
import { event } from '../domain/entities/event.ts';
import { form } from '../domain/entities/form.ts';
import { formResponse } from '../domain/entities/form-response.ts';
import { member } from '../domain/entities/member.ts';
import { prayerRequest } from '../domain/entities/prayer-request.ts';
import { service } from '../domain/entities/service.ts';
import { tag } from '../domain/entities/tag.ts';
import { recordShapeOf } from './entity-record.ts';

// The shapes of the records in responses.

export const departmentRecord = recordShapeOf(department);
export const designationRecord = recordShapeOf(designation);
export const eventRecord = recordShapeOf(event);
export const formRecord = recordShapeOf(form);
export const formResponseRecord = recordShapeOf(formResponse);
export const memberRecord = recordShapeOf(member);
export const prayerRequestRecord = recordShapeOf(prayerRequest);
export const serviceRecord = recordShapeOf(service);
export const tagRecord = recordShapeOf(tag);
