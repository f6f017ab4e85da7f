import fc from 'fast-check';
import { expect } from 'vitest';
import { graphql } from '../../support/graphql.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';

/** A request for a list with filters, an order and a page size. */
export interface WalkRequest {
  /** The filters, and the search as `q`. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly order: { readonly field: string; readonly descending: boolean } | undefined;
  readonly size: number;
  readonly backwards: boolean;
}

/** For pages read from either end; a page size of one would take a request for each record. */
export const page = { size: fc.integer({ min: 5, max: 100 }), backwards: fc.boolean() };
/** One of these orders, or the default. */
export const orderOf = (...fields: string[]) =>
  fc.option(fc.record({ field: fc.constantFrom(...fields), descending: fc.boolean() }), { nil: undefined });
/** Any of these filters. */
export const filterOf = (filters: Record<string, fc.Arbitrary<unknown>>) => fc.record(filters, { requiredKeys: [] });

/** Reads all pages of a list of the REST API; calls `onPage` after each page. */
export async function walkRest(
  organization: Pick<TestOrganization, 'get'>,
  path: string,
  request: WalkRequest,
  onPage: () => void | Promise<void> = () => {},
): Promise<string[]> {
  const query = new URLSearchParams({ limit: String(request.size) });
  for (const [name, value] of Object.entries(request.filter)) query.set(name, String(value));
  if (request.order) query.set('order_by', `${request.order.descending ? '-' : ''}${request.order.field}`);
  const ids: string[] = [];
  for (;;) {
    const { status, json } = await organization.get(`${path}?${query}`);
    expect(status, JSON.stringify(json)).toBe(200);
    ids.push(...json.data.map(({ id }: { id: string }) => id));
    await onPage();
    if (!json.pagination.has_more) return ids;
    query.set('cursor', json.pagination.next_cursor);
  }
}

/** Reads all pages of a connection from either end, and its count first; calls `onPage` after each page. */
export async function walkGraphql(
  service: Pick<TestService, 'app'>,
  organization: Pick<TestOrganization, 'key'>,
  list: string,
  request: WalkRequest,
  onPage: () => void | Promise<void> = () => {},
) {
  const type = { members: 'Member', events: 'Event', services: 'Service' }[list];
  const ask = graphql(service.app, organization.key);
  const size = request.backwards ? 'last' : 'first';
  const beyond = request.backwards ? 'before' : 'after';
  const order = request.order ? ', $orderBy: MemberOrder'.replace('Member', type as string) : '';
  const variableTypes = `$size: Int, $cursor: String, $search: String, $filter: ${type}Filter, $isCounted: Boolean!`;
  const document = `query (${variableTypes}${order}) {
    ${list}(${size}: $size, ${beyond}: $cursor, search: $search, filter: $filter${order && ', orderBy: $orderBy'}) {
      nodes { id }
      totalCount @include(if: $isCounted)
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;
  const { q: search, ...filters } = request.filter;
  const filter = Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name.replace(/_./, (at) => at.charAt(1).toUpperCase()), value]),
  );
  const orderBy = request.order && {
    field: request.order.field.toUpperCase(),
    direction: request.order.descending ? 'DESC' : 'ASC',
  };
  const pages: string[][] = [];
  let count: number | null = null;
  let cursor: string | null = null;
  for (;;) {
    const isCounted = pages.length === 0;
    const variables = { size: request.size, cursor, search, filter, orderBy, isCounted };
    const answer: Awaited<ReturnType<typeof ask>> = await ask(document, variables);
    expect(answer.json.errors).toBeUndefined();
    const { nodes, totalCount, pageInfo } = answer.json.data[list];
    if (isCounted) count = totalCount;
    pages.push(nodes.map(({ id }: { id: string }) => id));
    await onPage();
    const hasMore = request.backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
    if (!hasMore) return { ids: (request.backwards ? pages.reverse() : pages).flat(), totalCount: count };
    cursor = request.backwards ? pageInfo.startCursor : pageInfo.endCursor;
  }
}
