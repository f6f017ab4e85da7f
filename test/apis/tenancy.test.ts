import { isInterfaceType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENTITIES, type EntityName } from '../../src/domain/entities/registry.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { routes } from '../../src/rest/routes.ts';
import { listIn, recordIn, visible } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { segmentOf } from '../support/derived-records.ts';
import { codesIn, graphql } from '../support/graphql.ts';
import { recordsOf } from '../support/records.ts';
import { EXAMPLE_BODIES } from '../support/requests/example-bodies.ts';
import { onOneStore } from '../support/service.ts';
import {
  comparable,
  createEmptyFixture,
  createFixture,
  type Fixture,
  type Ids,
  newIds,
  rowsOf,
} from './equivalence/fixtures.ts';
import { callGraphQL, callRest, type Input, OPERATIONS } from './equivalence/operations.ts';
import { newMember } from './equivalence/test-case.ts';

const APIS = { REST: callRest, GraphQL: callGraphQL };

/** The id of a record of each entity, as in REST. */
function idsByEntity({ derived, members, tags, departments, forms, responses }: Ids): Record<EntityName, unknown> {
  const firstOfDerived = Object.fromEntries(Object.entries(derived).map(([name, [id]]) => [name, id]));
  return {
    ...(firstOfDerived as Record<keyof typeof derived, unknown>),
    members: members.one,
    tags: tags.choir,
    departments: departments[0],
    forms: forms.survey,
    form_responses: responses[0],
  };
}

/** Ids of no record. The forms of a fixture have the ids 11 and 12. */
const unknownIds = (): Ids => ({ ...newIds(), forms: { survey: 2_000_000_001, signup: 2_000_000_002 } });

/** The path parameters that refer to records with these ids. */
function pathOf(operation: string, ids: Ids): Input {
  const byEntity = idsByEntity(ids);
  const entity = (Object.keys(ENTITIES) as EntityName[]).find((name) =>
    operation.includes(` /${segmentOf(ENTITIES[name].entity)}/`),
  );
  const all: Input = {
    object_id: byEntity.members,
    form_id: byEntity.forms,
    response_id: byEntity.form_responses,
    id: entity && byEntity[entity],
  };
  return Object.fromEntries((OPERATIONS[operation]?.path ?? []).map((name) => [name, all[name]]));
}

/** A change of the record that the path refers to. */
const CHANGES: Readonly<Record<string, Input>> = {
  'PATCH /members/{object_id}': { city: 'Not stored' },
  'PATCH /members/{object_id}/tags': { add: [] },
  'POST /forms/{form_id}/responses': { answers: { 21: 'Not stored' } },
};

/** A valid body: the change, or the example of the API reference. */
function bodyOf(operation: string): object {
  return CHANGES[operation] ?? EXAMPLE_BODIES[operation] ?? {};
}

/** Inputs that refer to other records of the organization. */
const REFERENCES: readonly [operation: string, field: string, input: (ids: Ids) => Input][] = [
  ['POST /members', 'designation_id', (ids) => ({ designation_id: ids.derived.designations[0] })],
  ['POST /members', 'tag_ids', (ids) => ({ tag_ids: [ids.tags.choir] })],
  ['PATCH /members/{object_id}', 'designation_id', (ids) => ({ designation_id: ids.derived.designations[0] })],
  ['PATCH /members/{object_id}', 'tag_ids', (ids) => ({ tag_ids: [ids.tags.choir] })],
  ['PATCH /members/{object_id}/tags', 'add', (ids) => ({ add: [ids.tags.choir] })],
  ['PATCH /members/{object_id}/tags', 'remove', (ids) => ({ remove: [ids.tags.choir] })],
];

onOneStore((service) => {
  let foreign: Fixture;
  let before: unknown;
  /** Another organization, without records. */
  let caller: Fixture;
  beforeAll(async () => {
    foreign = await createFixture(service);
    caller = await createEmptyFixture(service, newIds());
    before = await rowsOf(service, foreign);
  });
  const expectUnchanged = async () => expect(await rowsOf(service, foreign)).toEqual(before);

  describe.each(Object.keys(OPERATIONS).filter((operation) => operation.includes('{')))('%s', (operation) => {
    it.each(Object.entries(APIS))(
      "responds to another organization's id as to an unknown one, and changes nothing: %s",
      async (_, send) => {
        const answerTo = async (ids: Ids) => {
          const { charge: _, ...outcome } = await send(caller, operation, {
            ...pathOf(operation, ids),
            ...bodyOf(operation),
          });
          return outcome;
        };
        const answer = await answerTo(foreign.ids);
        expect(answer.code).toBe('not_found');
        expect(answer).toEqual(await answerTo(unknownIds()));
        await expectUnchanged();
      },
    );

    it('responds equally to the byte in REST', async () => {
      const [method = '', template = ''] = operation.split(' ');
      const answerTo = async (ids: Ids) => {
        const path = Object.entries(pathOf(operation, ids)).reduce(
          (path, [name, id]) => path.replace(`{${name}}`, String(id)),
          template,
        );
        const body = JSON.stringify(bodyOf(operation));
        const headers = { 'Content-Type': 'application/json' };
        return visible(await caller.organization.request(method, path, method === 'GET' ? {} : { body, headers }));
      };
      expect(await answerTo(foreign.ids)).toEqual(await answerTo(unknownIds()));
    });
  });

  const lists = routes.filter(({ id, path }) => id.startsWith('list') && !path.includes('{'));
  it.each(lists.map((route) => [route.path, route] as const))(
    'GET %s lists, finds and counts nothing of another organization, in both APIs',
    async (path, route) => {
      const parameters = route.input.parts(route.operation.input).query?.shape ?? {};
      for (const input of 'q' in parameters ? [{}, { q: 'e' }] : [{}]) {
        for (const send of Object.values(APIS)) {
          expect((await send(caller, `GET ${path}`, input)).body).toMatchObject({ data: [] });
        }
      }
      if (!('count' in parameters)) return;
      const { json } = await caller.organization.get(`${path}?count=true`);
      const field = OPERATIONS[`GET ${path}`]?.field.replace('Query.', '') as string;
      const counted = await graphql(service.app, caller.organization.key)(`{ ${field} { totalCount } }`);
      expect([json.pagination.total_count, counted.json.data[field].totalCount]).toEqual([0, 0]);
    },
  );

  it.each(REFERENCES)(
    "%s treats another organization's record in %s as unknown, in both APIs",
    async (operation, _, input) => {
      const own = await createFixture(service);
      const ownRows = await rowsOf(service, own);
      const required = operation === 'POST /members' ? newMember(own.unique) : pathOf(operation, own.ids);
      for (const send of Object.values(APIS)) {
        const [theirs, unknown] = [foreign.ids, unknownIds()].map(async (ids) => {
          const { body, code, message, details } = await send(own, operation, { ...required, ...input(ids) });
          // The message of an unknown tag contains its id.
          return comparable(own, { body, code, message, details });
        });
        expect(await theirs).toEqual(await unknown);
      }
      expect(await rowsOf(service, own)).toEqual(ownRows);
      await expectUnchanged();
    },
  );

  const node = schema.getType('Node');
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  /** The global ids of these ids by type. */
  const globalIds = (ids: Ids): Record<string, string> => {
    const byEntity = idsByEntity(ids);
    const entries = (Object.keys(ENTITIES) as EntityName[]).map((name) => [ENTITIES[name].entity.name, byEntity[name]]);
    const { survey } = ids.forms;
    return {
      ...Object.fromEntries(entries),
      Form: `form_${survey}`,
      FormField: `field_${survey === 11 ? 21 : survey}`,
    };
  };

  it.each(types)("responds to the id of another organization's %s as a node as to an unknown one", async (type) => {
    const ask = graphql(service.app, caller.organization.key);
    const query = 'query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } }';
    const answerTo = async (ids: Ids) => {
      const answer = await ask(query, { id: globalIds(ids)[type] });
      expect([answer.json.data, codesIn(answer)]).toEqual([{ node: null, nodes: [null] }, ['not_found', 'not_found']]);
      return { status: answer.status, errors: answer.json.errors };
    };
    expect(await answerTo(foreign.ids)).toEqual(await answerTo(unknownIds()));
    const { json } = await graphql(service.app, foreign.organization.key)(query.replace('{ id }', '{ __typename }'), {
      id: globalIds(foreign.ids)[type],
    });
    expect(json.data.node).toEqual({ __typename: type });
  });

  it('shows of a shared person only what the organization itself stored, in both APIs', async () => {
    const [one, two] = [await service.organization(), await service.organization()];
    const body = person({ last_name: 'Shared' });
    const { id } = recordIn(await one.post('/members', body), 201);
    const details = { last_name: 'Foreign', city: 'Elsewhere', phone_number: '+16502530000', gender: 'Female' };
    const theirs = recordIn(await two.post('/members', { ...body, ...details }), 201);
    expect(theirs.id).toBe(id);
    const stranger = recordIn(await two.post('/members', person({ last_name: 'Foreign' })), 201);
    const tag = await recordsOf(service, two.id).tag({ name: 'Foreign' });
    await two.patch(`/members/${id}/tags`, { add: [tag.id] });
    await recordsOf(service, one.id).department({ name: 'Own', headId: id }, [id]);
    await recordsOf(service, two.id).department({ name: 'Foreign', headId: id }, [id, stranger.id]);
    const { json, text } = await graphql(
      service.app,
      one.key,
    )(`{
      members { nodes { id lastName city phoneNumber gender tags { id } departments { name memberIds membersCount } } }
      found: members(search: "foreign") { nodes { id } }
      departments { nodes { name headOfDepartment { lastName } members { nodes { id lastName } } } } }`);
    expect(text).not.toMatch(/Foreign|Elsewhere/);
    const departments = [{ name: 'Own', memberIds: [id], membersCount: 1 }];
    expect(json.data).toEqual({
      members: {
        nodes: [{ id, lastName: 'Shared', city: null, phoneNumber: null, gender: null, tags: [], departments }],
      },
      found: { nodes: [] },
      departments: {
        nodes: [
          { name: 'Own', headOfDepartment: { lastName: 'Shared' }, members: { nodes: [{ id, lastName: 'Shared' }] } },
        ],
      },
    });
    expect(listIn(await one.get('/departments'))).toMatchObject([
      { name: 'Own', head_of_department: 'Robin Shared', member_ids: [id], members_count: 1 },
    ]);
    for (const q of ['foreign', 'elsewhere', '6502530000'])
      expect(listIn(await one.get(`/members?q=${q}`))).toEqual([]);
    recordIn(await one.patch(`/members/${id}`, { city: 'Rome', email_address: person().email_address }));
    expect(recordIn(await one.patch(`/members/${id}/tags`, { remove: [tag.id] }))).toEqual([]);
    expect(recordIn(await two.get(`/members/${id}`))).toEqual(theirs);
    expect(recordIn(await two.patch(`/members/${id}/tags`, {}))).toMatchObject([{ id: tag.id }]);
  });
});
