import type { Entity } from '../../../src/domain/definition/entity.ts';
import { type FieldsByName, shownFields } from '../../../src/domain/definition/field.ts';
import { member } from '../../../src/domain/entities/member.ts';
import { tag } from '../../../src/domain/entities/tag.ts';
import { camelCase } from '../../../src/graphql/naming.ts';
import { routes } from '../../../src/rest/routes.ts';
import type { Answer } from '../../support/client.ts';
import { DERIVED_ENTITIES, segmentOf } from '../../support/derived-records.ts';
import { graphql } from '../../support/graphql.ts';
import type { Fixture } from './fixtures.ts';
import { camelName, departmentOf, formOf, pageOf, responseOf, snake, snakeName, type ToRest } from './rest-bodies.ts';

// Every operation once, as requested from either API; both use REST's names.

/** The input of an operation: path parameters, query parameters and body fields, by REST's names. */
export type Input = Readonly<Record<string, unknown>>;

/** An operation of both APIs. */
export interface ApiOperation {
  /** The GraphQL field for the same operation, such as `Query.members`. */
  readonly field: string;
  /** The names of the path parameters. */
  readonly path: readonly string[];
  readonly document: string;
  variables(input: Input): Record<string, unknown>;
  /** The REST body, built from the data of the GraphQL response. */
  // biome-ignore lint/suspicious/noExplicitAny: data of every shape
  body(data: any): unknown;
  /** Points charged by GraphQL; REST charges one. */
  readonly cost: number;
}

/** The outcome in either API, in REST's terms. */
export interface Outcome {
  /** The body of a success; undefined for an error. */
  readonly body: unknown;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly details: readonly { field: string; message: string }[] | undefined;
  /** Points charged to the key. */
  readonly charge: number;
}

const MEMBER = selectionOf(member);
const TAG = selectionOf(tag);
const RESPONSE = 'id formId submittedAt answers { fieldId value }';
const FORM = `formId title description isPublished acceptingResponse fields { fieldId question fieldType isRequired
  description options { value active } collects { firstName lastName email phone } } createdAt updatedAt`;
const DEPARTMENT = 'id name headOfDepartment { firstName lastName } memberIds membersCount createdAt updatedAt';

/** The operations by REST method and path. */
export const OPERATIONS: Readonly<Record<string, ApiOperation>> = {
  ...Object.fromEntries(DERIVED_ENTITIES.flatMap(({ entity }) => derivedOperations(entity))),
  'GET /members': list('members', MEMBER),
  'POST /members': mutation('createMember', 'CreateMemberInput', `member { ${MEMBER} }`, ({ member }) => snake(member)),
  'GET /members/{object_id}': single('member', MEMBER, 'object_id'),
  'PATCH /members/{object_id}': mutation(
    'updateMember',
    'UpdateMemberInput',
    `member { ${MEMBER} }`,
    ({ member }) => snake(member),
    'object_id',
  ),
  'PATCH /members/{object_id}/tags': mutation(
    'updateMemberTags',
    'UpdateMemberTagsInput',
    `tags { ${TAG} }`,
    ({ tags }) => snake(tags),
    'object_id',
  ),
  'GET /members/{object_id}/tags': {
    field: 'Member.tags',
    path: ['object_id'],
    document: `query ($id: ID!) { member(id: $id) { tags { ${TAG} } } }`,
    variables: ({ object_id }) => ({ id: object_id }),
    body: ({ member }) => ({ data: snake(member.tags) }),
    // The member, and its tags.
    cost: 2,
  },
  'GET /organization': {
    field: 'Query.viewer',
    path: [],
    document: '{ viewer { organization { id name country timeZone } } }',
    variables: () => ({}),
    body: ({ viewer }) => ({ data: snake(viewer.organization) }),
    cost: 1,
  },
  'GET /forms': list('forms', FORM, formOf),
  'GET /forms/{form_id}': single('form', FORM, 'form_id', formOf),
  'GET /forms/{form_id}/responses/{response_id}': {
    field: 'Query.formResponse',
    path: ['form_id', 'response_id'],
    document: `query ($formId: Int!, $id: ID!) { formResponse(formId: $formId, id: $id) { ${RESPONSE} } }`,
    variables: ({ form_id, response_id }) => ({ formId: form_id, id: response_id }),
    body: ({ formResponse }) => ({ data: responseOf(formResponse) }),
    cost: 1,
  },
  'POST /forms/{form_id}/responses': {
    field: 'Mutation.submitFormResponse',
    path: ['form_id'],
    document: `mutation ($input: SubmitFormResponseInput!) { submitFormResponse(input: $input) { formResponse { ${RESPONSE} } } }`,
    variables: ({ form_id, answers }) => ({
      input: {
        formId: form_id,
        answers: answers && Object.entries(answers).map(([id, value]) => ({ fieldId: Number(id), value })),
      },
    }),
    body: ({ submitFormResponse }) => ({ data: responseOf(submitFormResponse.formResponse) }),
    cost: 1,
  },
  'GET /departments': list('departments', DEPARTMENT, departmentOf),
  'GET /departments/{id}': single('department', DEPARTMENT, 'id', departmentOf),
  'GET /tags': list('tags', TAG),
  'GET /tags/{id}': single('tag', TAG, 'id'),
  'GET /forms/{form_id}/responses': {
    field: 'Form.responses',
    path: ['form_id'],
    document: `query ($id: ID!, $first: Int, $after: String) { node(id: $id) { ... on Form {
      responses(first: $first, after: $after) { edges { node { ${RESPONSE} } } pageInfo { hasNextPage endCursor } } } } }`,
    variables: ({ form_id, limit, cursor }) => ({ id: `form_${form_id}`, first: limit, after: cursor }),
    body: ({ node }) => pageOf(node.responses, responseOf),
    // The form, and its responses.
    cost: 2,
  },
  'GET /changes': {
    field: 'Query.changes',
    path: [],
    document: `query ($first: Int, $after: String, $resources: [ChangeResource!]) {
      changes(first: $first, after: $after, resources: $resources) {
        nodes { resource id operation at } pageInfo { hasNextPage endCursor } } }`,
    variables: ({ limit, cursor, resources }) => ({
      first: limit,
      after: cursor,
      resources: (resources as string | undefined)?.split(','),
    }),
    body: ({ changes: { nodes, pageInfo } }) => ({
      data: nodes.map((node: { id: string }) => ({ ...node, id: node.id.replace(/^form_/, '') })),
      pagination: { next_cursor: pageInfo.endCursor, has_more: pageInfo.hasNextPage },
    }),
    cost: 1,
  },
};

/** Sends a request to the REST API. */
export async function callRest({ organization }: Fixture, operation: string, input: Input): Promise<Outcome> {
  const { path: names = [] } = OPERATIONS[operation] ?? {};
  const [method = '', template = ''] = operation.split(' ');
  const path = names.reduce(
    (path, name) => path.replace(`{${name}}`, encodeURIComponent(String(input[name]))),
    template,
  );
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
  const answer =
    method === 'GET'
      ? await organization.get(`${path}?${new URLSearchParams(rest as Record<string, string>)}`)
      : method === 'DELETE'
        ? await organization.request(method, path)
        : await organization[method === 'POST' ? 'post' : 'patch'](path, rest);
  const { error } = answer.json;
  return {
    body: error ? undefined : answer.json,
    code: error?.code,
    message: error?.message,
    details: error?.details,
    charge: chargeOf(answer),
  };
}

/** Sends the same request to the GraphQL API. */
export async function callGraphQL({ app, organization }: Fixture, operation: string, input: Input): Promise<Outcome> {
  const { document, variables, body } = OPERATIONS[operation] as ApiOperation;
  const answer = await graphql(app, organization.key)(document, variables(input));
  const [error] = answer.json.errors ?? [];
  return {
    body: error ? undefined : body(answer.json.data),
    code: error?.extensions.code,
    message: error?.message,
    details: error?.extensions.details?.map(({ field, message }: { field: string; message: string }) => ({
      field: LIST_NAMES[field] ?? snakeName(field),
      message,
    })),
    charge: chargeOf(answer),
  };
}

const LIST_NAMES: Record<string, string> = { search: 'q', first: 'limit', after: 'cursor' };

/** The key has sent no requests before, so the remaining points show the cost. */
function chargeOf({ headers }: Answer): number {
  return Number(headers.get('X-RateLimit-Limit')) - Number(headers.get('X-RateLimit-Remaining'));
}

function list(field: string, selection: string, toRest: ToRest = snake): ApiOperation {
  return {
    field: `Query.${field}`,
    path: [],
    document: `query ($search: String, $first: Int, $after: String) { ${field}(search: $search, first: $first, after: $after) {
      edges { node { ${selection} } } pageInfo { hasNextPage endCursor } } }`,
    variables: ({ q, limit, cursor }) => ({ search: q, first: limit, after: cursor }),
    body: (data) => pageOf(data[field], toRest),
    cost: 1,
  };
}

function single(field: string, selection: string, parameter: string, toRest: ToRest = snake): ApiOperation {
  return {
    field: `Query.${field}`,
    path: [parameter],
    document: `query ($id: ID!) { ${field}(id: $id) { ${selection} } }`,
    variables: (input) => ({ id: input[parameter] }),
    body: (data) => ({ data: toRest(data[field]) }),
    cost: 1,
  };
}

/** The operations whose routes, fields and types are derived from the name of an entity. */
function derivedOperations(entity: Entity<object>): [string, ApiOperation][] {
  const { name, plural } = entity;
  const selection = selectionOf(entity);
  const field = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const path = `/${segmentOf(entity)}`;
  const writes = routes.filter((one) => one.method !== 'GET' && [path, `${path}/{id}`].includes(one.path));
  return [
    [`GET ${path}`, list(camelName(plural), selection)],
    [`GET ${path}/{id}`, single(field, selection, 'id')],
    ...writes.map(({ id, method, path }): [string, ApiOperation] => {
      const input = `${id.charAt(0).toUpperCase()}${id.slice(1)}Input`;
      const parameter = path.endsWith('{id}') ? 'id' : undefined;
      const toRest: ToRest = (data) => snake(data[field]);
      return [`${method} ${path}`, mutation(id, input, `${field} { ${selection} }`, toRest, parameter)];
    }),
  ];
}

function mutation(field: string, type: string, selection: string, toRest: ToRest, parameter?: string): ApiOperation {
  return {
    field: `Mutation.${field}`,
    path: parameter ? [parameter] : [],
    document: `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`,
    variables: (input) => ({
      input: Object.fromEntries(
        Object.entries(input).map(([name, value]) => [name === parameter ? 'id' : camelName(name), value]),
      ),
    }),
    body: (data) => ({ data: toRest(data[field]) }),
    cost: 1,
  };
}

/** The GraphQL selection of all fields of an entity that both APIs have. */
function selectionOf({ fields }: Pick<Entity, 'fields'>): string {
  return selectionOfFields(fields);
}

function selectionOfFields(fields: FieldsByName): string {
  return Object.entries(shownFields(fields))
    .map(([name, { object }]) => `${camelCase(name)}${object ? ` { ${selectionOfFields(object.fields)} }` : ''}`)
    .join(' ');
}
