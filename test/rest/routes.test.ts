import { expect, it } from 'vitest';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { ENTITIES, type EntityWithOperations, withOperations } from '../../src/domain/entities/registry.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes.ts';
import { expectError } from '../support/contract.ts';
import { person } from '../support/data.ts';
import {
  DERIVED_ENTITIES,
  idsBySegment,
  newRecordOf,
  requiredValuesOf,
  segmentOf,
  withNewReferences,
} from '../support/derived-records.ts';
import { recordsOf } from '../support/records.ts';
import { EXAMPLE_BODIES } from '../support/requests/example-bodies.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';

/** The endpoints of the specification, and additional ones of the decisions, with their scopes. */
const SPECIFIED: Record<string, string> = {
  'GET /members': 'members.view',
  'POST /members': 'members.create',
  'GET /members/{object_id}': 'members.view',
  'PATCH /members/{object_id}': 'members.update',
  'PATCH /members/{object_id}/tags': 'members.update',
  'POST /prayer-requests': 'prayer_requests.create',
  'GET /prayer-requests/{id}': 'prayer_requests.view',
  'GET /forms': 'forms.view',
  'GET /forms/{form_id}/responses/{response_id}': 'form_responses.view',
  'GET /events': 'events.view',
  'GET /services': 'services.view',
  'GET /departments': 'departments.view',
  'GET /tags': 'tags.view',
  'GET /tags/{id}': 'tags.view',
  'GET /designations': 'members.view',
  'GET /designations/{id}': 'members.view',
  'GET /prayer-requests': 'prayer_requests.view',
  'GET /forms/{form_id}': 'forms.view',
  'GET /forms/{form_id}/responses': 'form_responses.view',
  'POST /forms/{form_id}/responses': 'form_responses.create',
  'GET /events/{id}': 'events.view',
  'GET /services/{id}': 'services.view',
  'GET /departments/{id}': 'departments.view',
  'GET /members/{object_id}/tags': 'members.view',
  'GET /organization': '',
};

/** The endpoints with those of entities that have operations: each requires the scope of its operation. */
const CONTRACT: Record<string, string> = {
  ...SPECIFIED,
  ...Object.fromEntries(withOperations(ENTITIES).flatMap(endpointsOf)),
  'GET /changes': [...new Set(Object.values(ENTITIES).map(({ entity }) => entity.scope))].join(),
};

function endpointsOf({ entity, operations }: EntityWithOperations): [string, string][] {
  const path = `/${segmentOf(entity)}`;
  const scopeOf = (operation: string) => `${entity.plural}.${operation}`;
  return [
    [`GET ${path}`, entity.scope],
    [`GET ${path}/{id}`, entity.scope],
    ...(operations.create ? [[`POST ${path}`, scopeOf('create')] as [string, string]] : []),
    ...(operations.update ? [[`PATCH ${path}/{id}`, scopeOf('update')] as [string, string]] : []),
    ...(operations.delete ? [[`DELETE ${path}/{id}`, scopeOf('delete')] as [string, string]] : []),
  ];
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const named = (each: readonly Route[]) => each.map((route) => [nameOf(route), route] as const);
const withBody = routes.filter(({ operation, input }) => input.parts(operation.input).body);

/** Ids for the parameters of all paths; for `id`, by the segment before it. */
type Parameters = Record<string, string>;

const UNKNOWN: Parameters = {
  object_id: 'mem_01jd0000000000000000000000',
  ...Object.fromEntries(
    Object.values(ENTITIES).map(({ entity }) => [segmentOf(entity), `${entity.prefix}_01jd0000000000000000000000`]),
  ),
  form_id: '2147483647',
  response_id: 'frs_01jd0000000000000000000000',
};

const fill = (path: string, parameters: Parameters) =>
  path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    const value = parameters[name === 'id' ? segment : name] ?? parameters[name];
    return `${segment}/${value ?? `no ${name}`}`;
  });

const send = (organization: TestOrganization, route: Route, path: string, body: string) => {
  const headers = { 'Content-Type': 'application/json' };
  return organization.request(route.method, path, route.method === 'GET' ? {} : { body, headers });
};

it('matches the specification and the decisions, with the scope of each endpoint', () => {
  expect(Object.fromEntries(routes.map((route) => [nameOf(route), route.operation.scopes.join()]))).toEqual(CONTRACT);
  expect(routes).toHaveLength(Object.keys(CONTRACT).length);
});

it('requires each scope in some endpoint', () => {
  const required = Object.values(CONTRACT).flatMap((scopes) => scopes.split(',').filter(Boolean));
  expect([...new Set(required)].sort()).toEqual([...ALL_SCOPES].sort());
});

onOneStore((service) => {
  /** A valid body for the route. */
  const bodyOf = async (route: Route, organizationId: string): Promise<object> => {
    const { path } = route;
    if (path === '/members') return person();
    if (path.startsWith('/forms')) return { answers: {} };
    const derived = DERIVED_ENTITIES.find(({ entity }) => path === `/${segmentOf(entity)}`);
    if (!derived) return EXAMPLE_BODIES[nameOf(route)] ?? {};
    const values = newRecordOf(derived.entity, requiredValuesOf(derived.entity));
    return withNewReferences(service, organizationId, derived.entity, values);
  };

  async function withRecords() {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const member = (await organization.post('/members', person())).json.data;
    const form = await records.form({ isPublished: true, acceptingResponse: true });
    const response = await records.formResponse(form.id, { 1: 'secret' });
    const parameters = {
      object_id: member.id,
      form_id: String(form.id),
      response_id: response.id,
      ...(await idsBySegment(service, organization.id)),
      tags: (await records.tag()).id,
      departments: (await records.department({}, [member.id])).id,
    };
    return { organization, records, parameters };
  }

  it.each(named(routes.filter(({ operation }) => operation.scopes.length > 0)))(
    '%s is allowed with only the required scope',
    async (_, route) => {
      const { organization, parameters } = await withRecords();
      const { scopes, scopesOfInput } = route.operation;
      const only = await organization.withScopes(...scopes.slice(0, 1), ...scopesOfInput({}).map(({ scope }) => scope));
      const body = JSON.stringify(await bodyOf(route, organization.id));
      const answer = await send(only, route, fill(route.path, parameters), body);
      expect(answer.status).toBe(route.output.status);
    },
  );

  it.each(named(withBody))('%s validates the input before it looks up the record', async (_, route) => {
    const organization = await service.organization();
    const path = fill(route.path, UNKNOWN);
    expectError(await send(organization, route, path, '{'), 400, 'invalid_json');
    expectError(await send(organization, route, path, '{"nonsense":1}'), 400, 'invalid_request');
  });
});
