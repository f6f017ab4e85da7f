import { ENTITIES, type EntityName } from '../../../src/domain/entities/registry.ts';
import { type CamelCase, camelCase } from '../../../src/graphql/naming.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';

/** A list through both APIs, in a new organization. */
export interface List {
  /** The REST path. */
  readonly path: string;
  rest(parameters: Record<string, string | number>): Promise<RestPage>;
  /** The GraphQL connection of the same list. */
  graphql(args: Record<string, unknown>): Promise<GraphQLPage>;
  readonly organization: TestOrganization;
}

/** A page of the REST API. */
interface RestPage {
  readonly ids: readonly string[];
  readonly next: string | null;
  readonly code: string | undefined;
}

/** A page of the GraphQL API. */
interface GraphQLPage {
  readonly ids: readonly string[];
  readonly cursors: readonly string[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly code: string | undefined;
}

/** The name of a list: a root field of GraphQL, or `responses` for those of a form. */
export type ListName = CamelCase<Exclude<EntityName, 'form_responses'>> | 'responses';

/** The names of all lists. */
export const LIST_NAMES = Object.keys(ENTITIES).map((name) =>
  name === 'form_responses' ? 'responses' : camelCase(name),
) as readonly ListName[];

/** A list of `count` records; each department has a head. */
export async function listOf(service: TestService, name: ListName, count: number): Promise<List> {
  const organization = await service.organization();
  const many = manyOf(service, organization.id);
  if (name !== 'responses') {
    const members = name === 'departments' ? await many.members(1) : [];
    await (name === 'departments' ? many.departments(count, () => members) : many[name](count));
    return listOn(service, organization, name);
  }
  const [form] = await many.forms(1, count);
  return listOn(service, organization, name, form);
}

/** A list of an organization; for responses, those of `form`. */
export function listOn(service: TestService, organization: TestOrganization, name: ListName, form?: number): List {
  const path =
    name === 'responses'
      ? `/forms/${form}/responses`
      : `/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const ask = graphql(service.app, organization.key);
  return {
    path,
    organization,
    async rest(parameters) {
      const { json } = await organization.get(`${path}?${new URLSearchParams(parameters as Record<string, string>)}`);
      const ids = (json.data ?? []).map(({ id }: { id: number | string }) => (name === 'forms' ? `form_${id}` : id));
      return { ids, next: json.pagination?.next_cursor, code: json.error?.code };
    },
    async graphql(args) {
      const { json } = await ask(document(name), name === 'responses' ? { form: `form_${form}`, ...args } : args);
      const page = (name === 'responses' ? json.data?.node?.page : json.data?.page) ?? { edges: [] };
      return {
        ids: page.edges.map(({ node }: { node: { id: string } }) => node.id),
        cursors: page.edges.map(({ cursor }: { cursor: string }) => cursor),
        pageInfo: page.pageInfo,
        code: json.errors?.[0]?.extensions.code,
      };
    },
  };
}

function document(name: ListName): string {
  const window = '$first: Int, $after: String, $last: Int, $before: String';
  const given = 'first: $first, after: $after, last: $last, before: $before';
  const page = '{ edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';
  return name === 'responses'
    ? `query ($form: ID!, ${window}) { node(id: $form) { ... on Form { page: responses(${given}) ${page} } } }`
    : `query ($search: String, ${window}) { page: ${name}(search: $search, ${given}) ${page} }`;
}
