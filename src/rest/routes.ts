import type { z } from 'zod';
import { createMember } from '../domain/create-member.ts';
import { listDepartments } from '../domain/department.ts';
import { listDesignations } from '../domain/designation.ts';
import { listEvents } from '../domain/event.ts';
import { listForms } from '../domain/form.ts';
import { getFormResponse, listFormResponses } from '../domain/form-response.ts';
import { getMember, listMembers } from '../domain/member.ts';
import { updateMemberTags } from '../domain/member-tags.ts';
import type { Operation } from '../domain/operation.ts';
import { getPrayerRequest, submitPrayerRequest } from '../domain/prayer-request.ts';
import { listServices } from '../domain/service.ts';
import { listTags } from '../domain/tag.ts';
import { updateMember } from '../domain/update-member.ts';
import { presentDepartment } from './department.ts';
import { presentDesignation } from './designation.ts';
import { presentEvent } from './event.ts';
import { presentForm } from './form.ts';
import { presentFormResponse } from './form-response.ts';
import { body, type InputSource, listParameters, path, pathAndChanges, pathAndWindow } from './input.ts';
import { presentMember } from './member.ts';
import { created, list, type Output, record } from './output.ts';
import { presentPrayerRequest } from './prayer-request.ts';
import { presentService } from './service.ts';
import { presentMemberTags, presentTag } from './tag.ts';

/** A method and a path (below `/v1`, parameters in braces), and what they lead to. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly operation: Operation<z.ZodType, never>;
  readonly input: InputSource;
  readonly output: Output<never>;
}

const member = { id: 'object_id' };
const response = { form_id: 'form_id', id: 'response_id' };

/** The contract of the REST door: every endpoint of the specification, and the three additions. */
export const routes: readonly Route[] = [
  route('GET', '/members', listMembers, listParameters, list(presentMember)),
  route('POST', '/members', createMember, body, created(presentMember)),
  route('GET', '/members/{object_id}', getMember, path(member), record(presentMember)),
  route('PATCH', '/members/{object_id}', updateMember, pathAndChanges(member), record(presentMember)),
  route('PATCH', '/members/{object_id}/tags', updateMemberTags, pathAndChanges(member), record(presentMemberTags)),
  route('POST', '/prayer-requests', submitPrayerRequest, body, created(presentPrayerRequest)),
  route('GET', '/prayer-requests/{id}', getPrayerRequest, path({ id: 'id' }), record(presentPrayerRequest)),
  route('GET', '/forms', listForms, listParameters, list(presentForm)),
  route(
    'GET',
    '/forms/{form_id}/responses/{response_id}',
    getFormResponse,
    path(response),
    record(presentFormResponse),
  ),
  route('GET', '/events', listEvents, listParameters, list(presentEvent)),
  route('GET', '/services', listServices, listParameters, list(presentService)),
  route('GET', '/departments', listDepartments, listParameters, list(presentDepartment)),

  route('GET', '/tags', listTags, listParameters, list(presentTag)),
  route('GET', '/designations', listDesignations, listParameters, list(presentDesignation)),
  route(
    'GET',
    '/forms/{form_id}/responses',
    listFormResponses,
    pathAndWindow({ form_id: 'form_id' }),
    list(presentFormResponse),
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
