import type { z } from 'zod';
import { getOrganization } from '../domain/admin/get-organization.ts';
import { listChanges } from '../domain/changes/changes.ts';
import type { Operation } from '../domain/core/operation.ts';
import type { ListOperation } from '../domain/definition/list.ts';
import { getDepartment, listDepartments } from '../domain/entities/department.ts';
import { getDesignation, listDesignations } from '../domain/entities/designation.ts';
import { getEvent, listEvents } from '../domain/entities/event.ts';
import { getForm, listForms } from '../domain/entities/form.ts';
import { getFormResponse, listFormResponses } from '../domain/entities/form-response.ts';
import { getMember, listMembers } from '../domain/entities/member.ts';
import { getPrayerRequest, listPrayerRequests, submitPrayerRequest } from '../domain/entities/prayer-request.ts';
import { getService, listServices } from '../domain/entities/service.ts';
import { getTag, listTags, type Tag } from '../domain/entities/tag.ts';
import { submitFormResponse } from '../domain/forms/submit-form-response.ts';
import { createMember } from '../domain/members/create-member.ts';
import { getMemberTags, type MemberTags, updateMemberTags } from '../domain/members/member-tags.ts';
import { updateMember } from '../domain/members/update-member.ts';
import type { JsonRecord } from '../domain/records/json-record.ts';
import { changes } from './changes.ts';
import { RECORD_SHAPES } from './entity-shape.ts';
import { body, bodyAs, combine, type InputSource, noInput, parameter, path } from './input.ts';
import type { OperationId } from './openapi/operations.ts';
import { organizationShape } from './organization.ts';
import { createdRecord, jsonRecord, list, type Output, record, records } from './output.ts';
import { changeParameters, listParameters, plainListParameters } from './query-input.ts';
import type { RecordShape } from './record-shape.ts';

/** A route: a method and a path (under `/v1`, parameters in braces), and the operation that it calls. */
export interface Route {
  /** The name of the operation, and its `operationId` in OpenAPI. */
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** The path in Hono's notation: `/members/:object_id`. */
  readonly pattern: string;
  readonly operation: Operation<z.ZodType, never>;
  readonly input: InputSource;
  readonly output: Output<never>;
}

const {
  members,
  tags,
  designations,
  prayer_requests: prayerRequests,
  forms,
  form_responses: responses,
  events,
  services,
  departments,
} = RECORD_SHAPES;

const memberPath = path({ id: parameter('object_id', members, 'id') });
const memberChanges = combine(memberPath, bodyAs('changes'));
const formPath = { form_id: parameter('form_id', responses, 'form_id') };
const responsePath = path({ ...formPath, id: parameter('response_id', responses, 'id') });

const organization = { ...record(organizationShape), hasETag: true } as const;

const memberTags = { ...records(tags, (tags: readonly Tag[]) => tags), hasETag: true } as const;

/** The REST response omits the ids that were ignored. */
const updatedMemberTags = records(tags, ({ tags }: MemberTags) => tags);

/** The routes of the REST API: every endpoint of the specification, then the additions. */
export const routes: readonly Route[] = [
  listRoute('/members', listMembers, members),
  route(
    'POST',
    '/members',
    createMember,
    body,
    createdRecord(members, ({ id }) => `/members/${id}`),
  ),
  getRoute('/members/{object_id}', getMember, members),
  route('PATCH', '/members/{object_id}', updateMember, memberChanges, record(members)),
  route('PATCH', '/members/{object_id}/tags', updateMemberTags, memberChanges, updatedMemberTags),
  route(
    'POST',
    '/prayer-requests',
    submitPrayerRequest,
    body,
    createdRecord(prayerRequests, ({ id }) => `/prayer-requests/${id}`),
  ),
  getRoute('/prayer-requests/{id}', getPrayerRequest, prayerRequests),
  listRoute('/forms', listForms, forms),
  route('GET', '/forms/{form_id}/responses/{response_id}', getFormResponse, responsePath, jsonRecord(responses)),
  listRoute('/events', listEvents, events),
  listRoute('/services', listServices, services),
  listRoute('/departments', listDepartments, departments),

  route('GET', '/members/{object_id}/tags', getMemberTags, memberPath, memberTags),
  listRoute('/tags', listTags, tags),
  getRoute('/tags/{id}', getTag, tags),
  listRoute('/designations', listDesignations, designations),
  getRoute('/designations/{id}', getDesignation, designations),
  listRoute('/prayer-requests', listPrayerRequests, prayerRequests),
  getRoute('/forms/{form_id}', getForm, forms),
  route(
    'GET',
    '/forms/{form_id}/responses',
    listFormResponses,
    combine(path(formPath), plainListParameters),
    list(responses),
  ),
  route(
    'POST',
    '/forms/{form_id}/responses',
    submitFormResponse,
    combine(path(formPath), bodyAs('response')),
    createdRecord(responses, ({ form_id, id }) => `/forms/${form_id}/responses/${id}`),
  ),
  getRoute('/events/{id}', getEvent, events),
  getRoute('/services/{id}', getService, services),
  getRoute('/departments/{id}', getDepartment, departments),
  route('GET', '/changes', listChanges, changeParameters, changes),
  route('GET', '/organization', getOrganization, noInput, organization),
];

/** The route of a list with search, filters and orders. */
function listRoute<Schema extends z.ZodObject>(
  path: string,
  operation: ListOperation<z.output<Schema>>,
  shape: RecordShape<Schema>,
): Route {
  return route('GET', path, operation, listParameters(operation), list(shape));
}

/** The route of a record whose id is the last segment of the path. */
function getRoute<Schema extends z.ZodObject>(
  recordPath: string,
  operation: Operation<z.ZodType, JsonRecord<z.output<Schema>>>,
  shape: RecordShape<Schema>,
): Route {
  const name = recordPath.slice(recordPath.lastIndexOf('{') + 1, -1);
  return route('GET', recordPath, operation, path({ id: parameter(name, shape, 'id') }), jsonRecord(shape));
}

function route<Schema extends z.ZodType, Result>(
  method: Route['method'],
  path: string,
  operation: Operation<Schema, Result>,
  input: InputSource,
  output: Output<Result>,
): Route {
  return {
    id: operation.name as OperationId,
    method,
    path,
    pattern: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    operation: operation as unknown as Route['operation'],
    input,
    output,
  };
}
