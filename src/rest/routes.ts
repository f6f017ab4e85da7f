import type { z } from 'zod';
import { listChanges } from '../domain/changes/changes.ts';
import type { Operation } from '../domain/core/operation.ts';
import { createMember } from '../domain/entities/create-member.ts';
import { getDepartment, listDepartments } from '../domain/entities/department.ts';
import { getDesignation, listDesignations } from '../domain/entities/designation.ts';
import { getEvent, listEvents } from '../domain/entities/event.ts';
import { getForm, listForms } from '../domain/entities/form.ts';
import { getFormResponse, listFormResponses } from '../domain/entities/form-response.ts';
import { getMember, listMembers } from '../domain/entities/member.ts';
import { type MemberTags, updateMemberTags } from '../domain/entities/member-tags.ts';
import { getPrayerRequest, listPrayerRequests, submitPrayerRequest } from '../domain/entities/prayer-request.ts';
import { getService, listServices } from '../domain/entities/service.ts';
import { submitFormResponse } from '../domain/entities/submit-form-response.ts';
import { getTag, listTags } from '../domain/entities/tag.ts';
import { updateMember } from '../domain/entities/update-member.ts';
import { changeParameters, changes } from './changes.ts';
import { body, type InputSource, listParameters, parameter, path, pathAndBody, pathAndPage } from './input.ts';
import type { OperationId } from './openapi/operations.ts';
import { createdRecord, list, type Output, record, records, updatedRecord } from './output.ts';
import {
  departmentRecord,
  designationRecord,
  eventRecord,
  formRecord,
  formResponseRecord,
  memberRecord,
  prayerRequestRecord,
  serviceRecord,
  tagRecord,
} from './records.ts';

/** A route: a method and a path (under `/v1`, parameters in braces), and the operation that it calls. */
export interface Route {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly operation: Operation<z.ZodType, never>;
  readonly input: InputSource;
  readonly output: Output<never>;
}

const department = { id: parameter('id', departmentRecord, 'id') };
const designation = { id: parameter('id', designationRecord, 'id') };
const event = { id: parameter('id', eventRecord, 'id') };
const member = { id: parameter('object_id', memberRecord, 'id') };
const prayerRequest = { id: parameter('id', prayerRequestRecord, 'id') };
const form = { id: parameter('form_id', formRecord, 'id') };
const service = { id: parameter('id', serviceRecord, 'id') };
const tag = { id: parameter('id', tagRecord, 'id') };
const formOfResponses = { form_id: parameter('form_id', formResponseRecord, 'form_id') };
const response = { ...formOfResponses, id: parameter('response_id', formResponseRecord, 'id') };

/** The REST response leaves out the ids that were ignored. */
const memberTags = records(tagRecord, ({ tags }: MemberTags) => tags);

/** The routes of the REST API: every endpoint of the specification, then the additions. */
export const routes: readonly Route[] = [
  route('listMembers', 'GET', '/members', listMembers, listParameters(listMembers), list(memberRecord)),
  route('createMember', 'POST', '/members', createMember, body, createdRecord(memberRecord)),
  route('getMember', 'GET', '/members/{object_id}', getMember, path(member), record(memberRecord)),
  route(
    'updateMember',
    'PATCH',
    '/members/{object_id}',
    updateMember,
    pathAndBody(member, 'changes'),
    updatedRecord(memberRecord),
  ),
  route(
    'updateMemberTags',
    'PATCH',
    '/members/{object_id}/tags',
    updateMemberTags,
    pathAndBody(member, 'changes'),
    memberTags,
  ),
  route(
    'submitPrayerRequest',
    'POST',
    '/prayer-requests',
    submitPrayerRequest,
    body,
    createdRecord(prayerRequestRecord),
  ),
  route(
    'getPrayerRequest',
    'GET',
    '/prayer-requests/{id}',
    getPrayerRequest,
    path(prayerRequest),
    record(prayerRequestRecord),
  ),
  route('listForms', 'GET', '/forms', listForms, listParameters(listForms), list(formRecord)),
  route(
    'getFormResponse',
    'GET',
    '/forms/{form_id}/responses/{response_id}',
    getFormResponse,
    path(response),
    record(formResponseRecord),
  ),
  route('listEvents', 'GET', '/events', listEvents, listParameters(listEvents), list(eventRecord)),
  route('listServices', 'GET', '/services', listServices, listParameters(listServices), list(serviceRecord)),
  route(
    'listDepartments',
    'GET',
    '/departments',
    listDepartments,
    listParameters(listDepartments),
    list(departmentRecord),
  ),

  route('listTags', 'GET', '/tags', listTags, listParameters(listTags), list(tagRecord)),
  route('getTag', 'GET', '/tags/{id}', getTag, path(tag), record(tagRecord)),
  route(
    'listDesignations',
    'GET',
    '/designations',
    listDesignations,
    listParameters(listDesignations),
    list(designationRecord),
  ),
  route('getDesignation', 'GET', '/designations/{id}', getDesignation, path(designation), record(designationRecord)),
  route(
    'listPrayerRequests',
    'GET',
    '/prayer-requests',
    listPrayerRequests,
    listParameters(listPrayerRequests),
    list(prayerRequestRecord),
  ),
  route('getForm', 'GET', '/forms/{form_id}', getForm, path(form), record(formRecord)),
  route(
    'listFormResponses',
    'GET',
    '/forms/{form_id}/responses',
    listFormResponses,
    pathAndPage(formOfResponses),
    list(formResponseRecord),
  ),
  route(
    'submitFormResponse',
    'POST',
    '/forms/{form_id}/responses',
    submitFormResponse,
    pathAndBody(formOfResponses, 'response'),
    createdRecord(formResponseRecord),
  ),
  route('getEvent', 'GET', '/events/{id}', getEvent, path(event), record(eventRecord)),
  route('getService', 'GET', '/services/{id}', getService, path(service), record(serviceRecord)),
  route('getDepartment', 'GET', '/departments/{id}', getDepartment, path(department), record(departmentRecord)),
  route('listChanges', 'GET', '/changes', listChanges, changeParameters, changes),
];

function route<Schema extends z.ZodType, Result>(
  id: OperationId,
  method: Route['method'],
  path: string,
  operation: Operation<Schema, Result>,
  input: InputSource,
  output: Output<Result>,
): Route {
  return { id, method, path, operation: operation as unknown as Route['operation'], input, output };
}
