import type { z } from 'zod';
import { listChanges } from '../domain/changes/changes.ts';
import type { Operation } from '../domain/core/operation.ts';
import { getDepartment, listDepartments } from '../domain/entities/department.ts';
import { getDesignation, listDesignations } from '../domain/entities/designation.ts';
import { getEvent, listEvents } from '../domain/entities/event.ts';
import { getForm, listForms } from '../domain/entities/form.ts';
import { getFormResponse, listFormResponses } from '../domain/entities/form-response.ts';
import { getMember, listMembers } from '../domain/entities/member.ts';
import { getPrayerRequest, listPrayerRequests, submitPrayerRequest } from '../domain/entities/prayer-request.ts';
import { getService, listServices } from '../domain/entities/service.ts';
import { getTag, listTags } from '../domain/entities/tag.ts';
import { submitFormResponse } from '../domain/forms/submit-form-response.ts';
import { createMember } from '../domain/members/create-member.ts';
import { type MemberTags, updateMemberTags } from '../domain/members/member-tags.ts';
import { updateMember } from '../domain/members/update-member.ts';
import { changeParameters, changes } from './changes.ts';
import { body, type InputSource, listParameters, parameter, path, pathAndBody, pathAndPage } from './input.ts';
import type { OperationId } from './openapi/operations.ts';
import { createdRecord, list, type Output, record, records, updatedRecord } from './output.ts';
import { RECORD_SHAPES } from './records.ts';

/** A route: a method and a path (under `/v1`, parameters in braces), and the operation that it calls. */
export interface Route {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly operation: Operation<z.ZodType, never>;
  readonly input: InputSource;
  readonly output: Output<never>;
}

const department = { id: parameter('id', RECORD_SHAPES.departments, 'id') };
const designation = { id: parameter('id', RECORD_SHAPES.designations, 'id') };
const event = { id: parameter('id', RECORD_SHAPES.events, 'id') };
const member = { id: parameter('object_id', RECORD_SHAPES.members, 'id') };
const prayerRequest = { id: parameter('id', RECORD_SHAPES.prayer_requests, 'id') };
const form = { id: parameter('form_id', RECORD_SHAPES.forms, 'id') };
const service = { id: parameter('id', RECORD_SHAPES.services, 'id') };
const tag = { id: parameter('id', RECORD_SHAPES.tags, 'id') };
const formOfResponses = { form_id: parameter('form_id', RECORD_SHAPES.form_responses, 'form_id') };
const response = { ...formOfResponses, id: parameter('response_id', RECORD_SHAPES.form_responses, 'id') };

/** The REST response leaves out the ids that were ignored. */
const memberTags = records(RECORD_SHAPES.tags, ({ tags }: MemberTags) => tags);

/** The routes of the REST API: every endpoint of the specification, then the additions. */
export const routes: readonly Route[] = [
  route('listMembers', 'GET', '/members', listMembers, listParameters(listMembers), list(RECORD_SHAPES.members)),
  route('createMember', 'POST', '/members', createMember, body, createdRecord(RECORD_SHAPES.members)),
  route('getMember', 'GET', '/members/{object_id}', getMember, path(member), record(RECORD_SHAPES.members)),
  route(
    'updateMember',
    'PATCH',
    '/members/{object_id}',
    updateMember,
    pathAndBody(member, 'changes'),
    updatedRecord(RECORD_SHAPES.members),
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
    createdRecord(RECORD_SHAPES.prayer_requests),
  ),
  route(
    'getPrayerRequest',
    'GET',
    '/prayer-requests/{id}',
    getPrayerRequest,
    path(prayerRequest),
    record(RECORD_SHAPES.prayer_requests),
  ),
  route('listForms', 'GET', '/forms', listForms, listParameters(listForms), list(RECORD_SHAPES.forms)),
  route(
    'getFormResponse',
    'GET',
    '/forms/{form_id}/responses/{response_id}',
    getFormResponse,
    path(response),
    record(RECORD_SHAPES.form_responses),
  ),
  route('listEvents', 'GET', '/events', listEvents, listParameters(listEvents), list(RECORD_SHAPES.events)),
  route('listServices', 'GET', '/services', listServices, listParameters(listServices), list(RECORD_SHAPES.services)),
  route(
    'listDepartments',
    'GET',
    '/departments',
    listDepartments,
    listParameters(listDepartments),
    list(RECORD_SHAPES.departments),
  ),

  route('listTags', 'GET', '/tags', listTags, listParameters(listTags), list(RECORD_SHAPES.tags)),
  route('getTag', 'GET', '/tags/{id}', getTag, path(tag), record(RECORD_SHAPES.tags)),
  route(
    'listDesignations',
    'GET',
    '/designations',
    listDesignations,
    listParameters(listDesignations),
    list(RECORD_SHAPES.designations),
  ),
  route(
    'getDesignation',
    'GET',
    '/designations/{id}',
    getDesignation,
    path(designation),
    record(RECORD_SHAPES.designations),
  ),
  route(
    'listPrayerRequests',
    'GET',
    '/prayer-requests',
    listPrayerRequests,
    listParameters(listPrayerRequests),
    list(RECORD_SHAPES.prayer_requests),
  ),
  route('getForm', 'GET', '/forms/{form_id}', getForm, path(form), record(RECORD_SHAPES.forms)),
  route(
    'listFormResponses',
    'GET',
    '/forms/{form_id}/responses',
    listFormResponses,
    pathAndPage(formOfResponses),
    list(RECORD_SHAPES.form_responses),
  ),
  route(
    'submitFormResponse',
    'POST',
    '/forms/{form_id}/responses',
    submitFormResponse,
    pathAndBody(formOfResponses, 'response'),
    createdRecord(RECORD_SHAPES.form_responses),
  ),
  route('getEvent', 'GET', '/events/{id}', getEvent, path(event), record(RECORD_SHAPES.events)),
  route('getService', 'GET', '/services/{id}', getService, path(service), record(RECORD_SHAPES.services)),
  route(
    'getDepartment',
    'GET',
    '/departments/{id}',
    getDepartment,
    path(department),
    record(RECORD_SHAPES.departments),
  ),
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
