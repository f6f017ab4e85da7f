import { beforeAll, expect } from 'vitest';
import type { App } from '../../../../src/app.ts';
import { sql } from '../../../../src/store/sql.ts';
import { appOn, UNCOUNTED } from '../../../support/apps.ts';
import type { Answer } from '../../../support/client.ts';
import { errorsIn, graphql } from '../../../support/graphql.ts';
import type { TestOrganization, TestService } from '../../../support/service.ts';

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/** All fields of `viewer`. */
const FIELDS = `
  organization { id name country createdAt } keyName scopes expiresAt rateLimit
  key {
    id name scopes expiresAt createdAt firstUsedAt lastUsedAt
    usage { edges { cursor node { day points scopes { scope requests } } } ${PAGE_INFO} }
    auditEntries { edges { cursor node { id at api operation recordId result requestId } } ${PAGE_INFO} }
    recentRequests { edges { cursor node { at api operation status code field requestId cost } } ${PAGE_INFO} }
    scopesCountedSince unusedScopes
  }`;
export const WITHOUT_FRAGMENT = `{ viewer { ${FIELDS} } }`;
export const WITH_FRAGMENT = `{ viewer { ...AllFields } } fragment AllFields on Viewer { ${FIELDS} }`;

/** The lists of a key, with a field that identifies their nodes and increases over time. */
const LISTS = { usage: 'day', auditEntries: 'requestId', recentRequests: 'requestId' } as const;
const TYPES = { usage: 'ApiKeyUsage', auditEntries: 'AuditEntry', recentRequests: 'FailedRequest' } as const;
export type List = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as List[];

/** Queries of `viewer`, and the data they return. */
export function viewerClient(service: TestService) {
  /** Records no usage, so that a key has only the usage that a test inserts. */
  let app: App;
  beforeAll(() => {
    app = appOn(service, { keyUsage: UNCOUNTED });
  });

  const createOrganization = () => service.organization({ app });
  const query = ({ key }: TestOrganization, document: string, variables?: Record<string, unknown>): Promise<Answer> =>
    graphql(app, key)(document, variables);

  /**
   * Inserts days of usage with two scopes each. The first day has `first` points and requests, each later day one more.
   */
  async function insertUsage(keyId: string, days: number, first = 1): Promise<void> {
    await service.store.db.rows(sql`
      INSERT INTO api_key_usage (api_key_id, day, points)
      SELECT ${keyId}, '2026-02-26'::date + n, n + ${first}::bigint FROM generate_series(0, ${days}::int - 1) n`);
    await service.store.db.rows(sql`
      INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests)
      SELECT api_key_id, day, scope, points FROM api_key_usage, unnest('{tags.view,events.view}'::text[]) scope
      WHERE api_key_id = ${keyId}`);
  }

  async function insertAuditEntries({ id, keyId }: TestOrganization, entries: number): Promise<void> {
    await service.store.db.rows(sql`
      INSERT INTO audit_entry (organization_id, api_key_id, channel, operation, result, request_id)
      SELECT ${id}, ${keyId}, 'rest', 'createMember', 'ok', n FROM generate_series(1, ${entries}::int) n`);
  }

  /** Inserts failed requests, two at each time. */
  async function insertFailedRequests(keyId: string, requests: number): Promise<void> {
    await service.store.db.rows(sql`
      INSERT INTO api_key_failed_request (api_key_id, id, at, api, operation, status, code, request_id, cost)
      SELECT ${keyId}, n, now() - (1000 - n / 2) * interval '1 minute', 'rest', 'getTag', 404, 'not_found', n, 1
      FROM generate_series(1, ${requests}::int) n`);
  }

  /** Creates an organization with a key and `count` days of usage, audit entries and failed requests. */
  async function createOrganizationWithLists(length: number): Promise<TestOrganization> {
    const organization = await createOrganization();
    await insertUsage(organization.keyId, length);
    await insertAuditEntries(organization, length);
    await insertFailedRequests(organization.keyId, length);
    return organization;
  }

  /** Queries one page of a list; `errors` is undefined if there are none. */
  async function queryPage(organization: TestOrganization, list: List, args: Record<string, unknown>) {
    const { json } = await query(
      organization,
      `query ($first: Int, $after: String, $last: Int, $before: String) { viewer { keyName key {
        page: ${list}(first: $first, after: $after, last: $last, before: $before) {
          ...Page } } } } fragment Page on ${TYPES[list]}Connection {
            edges { cursor node { ${LISTS[list]} } } ${PAGE_INFO} }`,
      args,
    );
    const { keyName, key } = json.data.viewer;
    expect(keyName).toBe('Test');
    const edges: { cursor: string; node: Record<string, string> }[] = key.page?.edges ?? [];
    return {
      ids: edges.map(({ node }) => node[LISTS[list]] as string),
      cursors: edges.map(({ cursor }) => cursor),
      pageInfo: key.page?.pageInfo,
      errors: json.errors && errorsIn({ json } as Answer),
      details: json.errors?.[0].extensions.details,
    };
  }

  return {
    createOrganization,
    createOrganizationWithLists,
    query,
    queryPage,
    insertUsage,
    insertAuditEntries,
    insertFailedRequests,
  };
}
