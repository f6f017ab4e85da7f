import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, type Scope } from '../../src/domain/core/scopes.ts';
import { ENTITIES } from '../../src/domain/entities/registry.ts';
import { type Route, routes } from '../../src/rest/routes.ts';
import { expectError, visible } from '../support/contract.ts';
import { person } from '../support/data.ts';
import {
  DERIVED_ENTITIES,
  idsBySegment,
  newRecordOf,
  requiredValuesOf,
  segmentOf,
} from '../support/derived-records.ts';
import { recordsOf } from '../support/records.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';

/** The endpoints of the specification, and additional ones of the decisions, with their scopes. */
const CONTRACT: Record<string, string> = {
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
  'GET /changes':
    'members.view,tags.view,departments.view,forms.view,form_responses.view,events.view,services.view,prayer_requests.view',
};

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const named = (each: readonly Route[]) => each.map((route) => [nameOf(route), route] as const);
const scoped = routes.filter(({ operation }) => operation.scopes.length > 0);
const withId = routes.filter(({ path }) => path.includes('{'));
const writing = routes.filter(({ method }) => method !== 'GET');

/** Ids for the parameters of all paths; for `id`, by the segment before it. */
type Parameters = Record<string, string>;

const UNKNOWN: Record<string, Parameters> = {
  'well-formed': {
    object_id: 'mem_01jd0000000000000000000000',
    ...Object.fromEntries(
      Object.values(ENTITIES).map(({ entity }) => [segmentOf(entity), `${entity.prefix}_01jd0000000000000000000000`]),
    ),
    form_id: '2147483647',
    response_id: 'frs_01jd0000000000000000000000',
  },
  malformed: { object_id: 'x', id: '1', form_id: 'abc', response_id: '%00' },
};

const fill = (path: string, parameters: Parameters) =>
  path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    const value = parameters[name === 'id' ? segment : name] ?? parameters[name];
    return `${segment}/${value ?? `no ${name}`}`;
  });

/** A valid body for the route. */
const bodyOf = ({ path }: Route): object => {
  if (path === '/members') return person();
  if (path.startsWith('/forms')) return { answers: {} };
  const derived = DERIVED_ENTITIES.find(({ entity }) => path === `/${segmentOf(entity)}`);
  return derived ? newRecordOf(derived.entity, requiredValuesOf(derived.entity)) : {};
};

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

  /** All records that the paths refer to, as the organization reads them. */
  const state = async (organization: TestOrganization, parameters: Parameters) => {
    const reads = withId.filter(({ method }) => method === 'GET').map(({ path }) => fill(path, parameters));
    const answers = await Promise.all(reads.map((path) => organization.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(reads.map(() => 200));
    return answers.map(({ text }) => text);
  };

  describe.each(named(scoped))('%s', (_, route) => {
    it('is refused to a key with all other scopes, naming the missing one', async () => {
      const { organization, parameters } = await withRecords();
      const { scopes } = route.operation;
      const others = await organization.withScopes(...ALL_SCOPES.filter((other) => !scopes.includes(other)));
      const before = await state(organization, parameters);
      const answer = await send(others, route, fill(route.path, parameters), JSON.stringify(bodyOf(route)));
      expectError(answer, 403, 'missing_scope');
      for (const scope of scopes) {
        expect(answer.json.error.message).toMatch(new RegExp(`(^|[^\\w.])${scope.replace('.', '\\.')}($|[^\\w.])`));
      }
      expect(await state(organization, parameters)).toEqual(before);
    });

    it('is allowed with only the required scope', async () => {
      const { organization, parameters } = await withRecords();
      const { scopes, scopesOfInput } = route.operation;
      const only = await organization.withScopes(...scopes.slice(0, 1), ...scopesOfInput({}));
      const answer = await send(only, route, fill(route.path, parameters), JSON.stringify(bodyOf(route)));
      expect(answer.status).toBe(route.method === 'POST' ? 201 : 200);
    });

    it('checks the scope before the input and the record', async () => {
      const other = ALL_SCOPES.find((scope) => !route.operation.scopes.includes(scope)) as Scope;
      const caller = await service.organization({ scopes: [other] });
      const unknown = fill(route.path, UNKNOWN.malformed as Parameters);
      for (const body of ['{', '', '5']) {
        const answer = await send(caller, route, `${unknown}?limit=0&cursor=x&q=%FF`, body);
        expectError(answer, 403, 'missing_scope');
      }
    });
  });

  it.each(named(writing))('%s validates the input before it looks up the record', async (_, route) => {
    const organization = await service.organization();
    const path = fill(route.path, UNKNOWN['well-formed'] as Parameters);
    expectError(await send(organization, route, path, '{'), 400, 'invalid_json');
    expectError(await send(organization, route, path, '{"nonsense":1}'), 400, 'invalid_request');
  });

  describe.each(named(withId))('%s', (_, route) => {
    it("responds to another organization's id exactly as to an unknown one, and changes nothing", async () => {
      const organization = await service.organization();
      const foreign = await withRecords();
      const before = await state(foreign.organization, foreign.parameters);
      const body = JSON.stringify(bodyOf(route));
      const answer = await send(organization, route, fill(route.path, foreign.parameters), body);
      expectError(answer, 404, 'not_found', expect.stringMatching(/^[A-Z][a-z]+( [a-z]+)? not found$/));
      for (const unknown of Object.values(UNKNOWN)) {
        const other = await send(organization, route, fill(route.path, unknown), body);
        expect(visible(other)).toEqual(visible(answer));
      }
      expect(await state(foreign.organization, foreign.parameters)).toEqual(before);
    });
  });
});
