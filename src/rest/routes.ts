import { getOrganization } from '../domain/admin/organization.ts';
import { listChanges } from '../domain/changes/changes.ts';
import { pluralInSentence } from '../domain/definition/entity.ts';
import { getDepartment, listDepartments } from '../domain/entities/department.ts';
import { getDesignation, listDesignations } from '../domain/entities/designation.ts';
import { getForm, listForms } from '../domain/entities/form.ts';
import { getFormResponse, listFormResponses } from '../domain/entities/form-response.ts';
import { getMember, listMembers, MEMBER_INCLUSIONS } from '../domain/entities/member.ts';
import { getPrayerRequest, listPrayerRequests, submitPrayerRequest } from '../domain/entities/prayer-request.ts';
import { ENTITIES, type EntityName, type EntityWithOperations, withOperations } from '../domain/entities/registry.ts';
import { getTag, listTags, type Tag } from '../domain/entities/tag.ts';
import { submitFormResponse } from '../domain/forms/submit-form-response.ts';
import { createMember } from '../domain/members/create-member.ts';
import { getMemberTags, type MemberTags, updateMemberTags } from '../domain/members/member-tags.ts';
import { updateMember } from '../domain/members/update-member.ts';
import { changes } from './changes.ts';
import { bodyAs, combine, noInput, parameter, path } from './input.ts';
import { createdRecord, jsonRecord, list, record, records } from './output.ts';
import { changeParameters, includeInput, plainListParameters } from './query-input.ts';
import { organizationShape, RECORD_SHAPES, type RecordShape } from './record-shapes.ts';
import { createRoute, deleteRoute, getRoute, listRoute, type Route, route, updateRoute } from './route.ts';

const {
  members,
  tags,
  designations,
  prayer_requests: prayerRequests,
  forms,
  form_responses: responses,
  departments,
} = RECORD_SHAPES;

const memberPath = path({ id: parameter('object_id', members, 'id') });
const memberChanges = combine(memberPath, bodyAs('changes'));
const formPath = { form_id: parameter('form_id', responses, 'form_id') };
const responsePath = path({ ...formPath, id: parameter('response_id', responses, 'id') });

const organization = { ...record(organizationShape), hasETag: true } as const;

const memberTags = { ...records(tags, (tags: readonly Tag[]) => tags), hasETag: true } as const;

/** The REST response omits the ids that were ignored. */
const updatedMemberTags = { ...records(tags, ({ tags }: MemberTags) => tags), hasETag: true } as const;

/** The routes of the REST API: every endpoint of the specification, then the additions. */
export const routes: readonly Route[] = [
  listRoute('/members', listMembers, members),
  createRoute('/members', createMember, members),
  route(
    'GET',
    '/members/{object_id}',
    getMember,
    combine(memberPath, includeInput(MEMBER_INCLUSIONS)),
    jsonRecord(members),
  ),
  updateRoute('/members/{object_id}', updateMember, members),
  route('PATCH', '/members/{object_id}/tags', updateMemberTags, memberChanges, updatedMemberTags),
  createRoute('/prayer-requests', submitPrayerRequest, prayerRequests),
  getRoute('/prayer-requests/{id}', getPrayerRequest, prayerRequests),
  listRoute('/forms', listForms, forms),
  route('GET', '/forms/{form_id}/responses/{response_id}', getFormResponse, responsePath, jsonRecord(responses)),
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
  getRoute('/departments/{id}', getDepartment, departments),
  ...withOperations(ENTITIES).flatMap(derivedRoutes),
  route('GET', '/changes', listChanges, changeParameters, changes),
  route('GET', '/organization', getOrganization, noInput, organization),
];

/** Returns the routes of an entity: those of its operations. */
function derivedRoutes({ entity, operations }: EntityWithOperations): Route[] {
  const { list, get, create, update, delete: remove } = operations;
  const shape = RECORD_SHAPES[entity.plural as EntityName] as unknown as RecordShape;
  const path = `/${pluralInSentence(entity).replaceAll(' ', '-')}`;
  const recordPath = `${path}/{id}`;
  return [
    listRoute(path, list as never, shape),
    ...(create ? [createRoute(path, create as never, shape)] : []),
    getRoute(recordPath, get as never, shape),
    ...(update ? [updateRoute(recordPath, update as never, shape)] : []),
    ...(remove ? [deleteRoute(recordPath, remove as never, shape)] : []),
  ];
}
