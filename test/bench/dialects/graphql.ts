import type { Organization } from '../data-set.ts';
import type { Case, ListPosition } from '../workloads.ts';
import type { Answer, Dialect } from './dialect.ts';

/** The fields of a member. */
export const MEMBER_FIELDS = `
  id firstName lastName emailAddress phoneNumber gender maritalStatus dateOfBirth address city state zipCode country
  designation isGuest createdAt updatedAt`;

/** What a page needs to be continued. */
export const PAGE = 'pageInfo { hasNextPage endCursor }';

const DOCUMENTS = {
  list: `query List($first: Int!, $after: String) {
    members(first: $first, after: $after) { edges { node { ${MEMBER_FIELDS} } } ${PAGE} } }`,
  search: `query Search($search: String!) {
    members(first: 25, search: $search) { edges { node { ${MEMBER_FIELDS} } } ${PAGE} } }`,
  get: `query Get($id: ID!) { member(id: $id) { ${MEMBER_FIELDS} } }`,
  departments: `query Departments($after: String) {
    departments(first: 20, after: $after) { edges { node { id name
      members(first: 10) { edges { node { id firstName lastName emailAddress tags { id name color } } } } } } } }`,
  create: `mutation Create($input: CreateMemberInput!) { createMember(input: $input) { member { ${MEMBER_FIELDS} } } }`,
} satisfies Record<Case['kind'], string>;

/** The differences between GraphQL servers with Relay connections. */
interface Differences {
  /** Sent with each request. */
  headers(organization: Organization): Record<string, string>;
  /** The cursor of a row. */
  cursor(organization: Organization, list: 'members' | 'departments', place: ListPosition): string;
}

/** GraphQL with Relay connections and the names of this service's schema. */
export function connectionDialect({ headers, cursor }: Differences): Dialect {
  const variables = (asked: Case, organization: Organization): object => {
    switch (asked.kind) {
      case 'list':
        return { first: asked.limit, after: asked.after && cursor(organization, 'members', asked.after) };
      case 'search':
        return { search: asked.text };
      case 'get':
        return { id: asked.id };
      case 'departments':
        return { after: asked.after && cursor(organization, 'departments', asked.after) };
      case 'create':
        return { input: renamed(asked.member, toCamelCase) };
    }
  };
  return {
    request: (asked, organization) => ({
      method: 'POST',
      path: '/graphql',
      headers: headers(organization),
      body: { query: DOCUMENTS[asked.kind], variables: variables(asked, organization) },
    }),
    answer: (_asked, body) => answerOf((body as { data: Data }).data),
  };
}

interface Connection {
  readonly edges: readonly { readonly node: object }[];
  readonly pageInfo?: { readonly hasNextPage: boolean };
}

/** The data of a response. */
export interface Data {
  readonly members?: Connection;
  readonly departments?: Connection;
  readonly member?: object;
  readonly createMember?: { readonly member: object };
}

/** @param textOf returns the text that other servers have in place of an object; undefined for other objects. */
export function answerOf(
  { members, departments, member, createMember }: Data,
  textOf?: (value: object) => unknown,
): Answer {
  const data = plainOf(members ?? departments ?? member ?? createMember?.member, textOf);
  return members?.pageInfo ? { data, more: members.pageInfo.hasNextPage } : { data };
}

/** Connections as lists, with REST's field names. */
function plainOf(value: unknown, textOf?: (value: object) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => plainOf(one, textOf));
  if (typeof value !== 'object' || value === null) return value;
  if ('edges' in value) return (value as Connection).edges.map(({ node }) => plainOf(node, textOf));
  const text = textOf?.(value);
  if (text !== undefined) return text;
  const fields = Object.entries(value).map(([name, inner]) => [name, plainOf(inner, textOf)] as const);
  return renamed(Object.fromEntries(fields), toSnakeCase);
}

function renamed(record: object, rename: (name: string) => string): object {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [rename(name), value]));
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
