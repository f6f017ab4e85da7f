import type { z } from 'zod';
import { createMember } from '../domain/create-member.ts';
import { listDepartments } from '../domain/department.ts';
import { listDesignations } from '../domain/designation.ts';
import { listEvents } from '../domain/event.ts';
import { listForms } from '../domain/form.ts';
import { getFormResponse, listFormResponses } from '../domain/form-response.ts';
import { getMember, listMembers } from '../domain/member.ts';
import { type MemberTags, updateMemberTags } from '../domain/member-tags.ts';
import type { Operation } from '../domain/operation.ts';
import { getPrayerRequest, submitPrayerRequest } from '../domain/prayer-request.ts';
import { listServices } from '../domain/service.ts';
import { listTags } from '../domain/tag.ts';
import { updateMember } from '../domain/update-member.ts';
import { departmentRecord } from './department.ts';
import { designationRecord } from './designation.ts';
import { eventRecord } from './event.ts';
import { formRecord } from './form.ts';
import { formResponseRecord } from './form-response.ts';
import { body, type InputSource, listParameters, path, pathAndChanges, pathAndWindow } from './input.ts';
import { memberRecord } from './member.ts';
import { created, list, type Output, record, records } from './output.ts';
import { prayerRequestRecord } from './prayer-request.ts';
import { serviceRecord } from './service.ts';
import { tagRecord } from './tag.ts';

/** A method and a path (below `/v1`, parameters in braces), and what they lead to. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly operation: Operation<z.ZodType, never>;
  readonly input: InputSource;
  readonly output: Output<never>;
}

const member = { id: 'object_id' };
/** REST does not say which ids were ignored. */
const memberTags = records(tagRecord, ({ tags }: MemberTags) => tags);
const response = { form_id: 'form_id', id: 'response_id' };

/** The contract of the REST door: every endpoint of the specification, and the three additions. */
export const routes: readonly Route[] = [
  route('GET', '/members', listMembers, listParameters, list(memberRecord)),
  route('POST', '/members', createMember, body, created(memberRecord)),
  route('GET', '/members/{object_id}', getMember, path(member), record(memberRecord)),
  route('PATCH', '/members/{object_id}', updateMember, pathAndChanges(member), record(memberRecord)),
  route('PATCH', '/members/{object_id}/tags', updateMemberTags, pathAndChanges(member), memberTags),
  route('POST', '/prayer-requests', submitPrayerRequest, body, created(prayerRequestRecord)),
  route('GET', '/prayer-requests/{id}', getPrayerRequest, path({ id: 'id' }), record(prayerRequestRecord)),
  route('GET', '/forms', listForms, listParameters, list(formRecord)),
  route('GET', '/forms/{form_id}/responses/{response_id}', getFormResponse, path(response), record(formResponseRecord)),
  route('GET', '/events', listEvents, listParameters, list(eventRecord)),
  route('GET', '/services', listServices, listParameters, list(serviceRecord)),
  route('GET', '/departments', listDepartments, listParameters, list(departmentRecord)),

  route('GET', '/tags', listTags, listParameters, list(tagRecord)),
  route('GET', '/designations', listDesignations, listParameters, list(designationRecord)),
  route(
    'GET',
    '/forms/{form_id}/responses',
    listFormResponses,
    pathAndWindow({ form_id: 'form_id' }),
    list(formResponseRecord),
  ),
];

function route<Schema extends z.ZodType, Result>(
  method: Route['method'],
  path: string,
  operation: Operation<Schema, Result>,
  input: InputSource,
  output: Output<Result>,
): Route {
  return { method, path, operation: operation as unknown as Route['operation'], input, output };
}
