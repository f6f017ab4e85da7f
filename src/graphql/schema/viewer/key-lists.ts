import { auditEntryId } from '../../../domain/admin/audit-log.ts';
import { FAILED_REQUEST_DAYS } from '../../../domain/admin/failed-request.ts';
import type { Context } from '../../../domain/core/context.ts';
import { parseInput } from '../../../domain/core/parse-input.ts';
import { decodeCursor, encodeCursors } from '../../../domain/cursors/cursor.ts';
import type { DecodedCursor } from '../../../domain/cursors/order.ts';
import { DEFAULT_PAGE_SIZE, pageArguments } from '../../../domain/lists/page.ts';
import { DAY_MS } from '../../../domain/values/time-zone.ts';
import type { Prisma } from '../../../store/generated/client.ts';
import { embeddedList, extensions } from '../../data/field-extensions.ts';
import { builder } from '../builder.ts';

/**
 * A list that belongs to the caller's key, newest first. Prisma Client reads it by keyset pagination. Rows are only added
 * at the start of the list, and deleted only at its end.
 */
export interface KeysetList<Where, Row> {
  /** Included in cursors, so that they are valid only for this list. */
  readonly name: string;
  cursorOf(row: Row): DecodedCursor;
  /** The condition that rows are older (`lt`) or newer (`gt`) than a cursor. */
  beyond(comparison: Comparison, cursor: DecodedCursor): Where;
}

type Comparison = 'lt' | 'gt';

/**
 * Returns the query of a page for the arguments of a connection, which have the same rules as those of all other lists, and
 * a function that converts its rows, in the order of the query, to a connection.
 *
 * @throws {ServiceError} `invalid_request` for invalid arguments, `invalid_cursor` for an invalid cursor.
 */
export function prismaPage<Where, Row>(list: KeysetList<Where, Row>, args: object, { caller, appSecret }: Context) {
  const { first, after, last, before } = parseInput(pageArguments, args);
  const identity = {
    organizationId: caller.organization.id,
    list: `${list.name}:${caller.keyId}`,
    search: undefined,
  };
  const beyond = (comparison: Comparison, cursor: string | null | undefined) =>
    cursor == null ? [] : [list.beyond(comparison, decodeCursor(appSecret, identity, cursor))];
  const size = last ?? first ?? DEFAULT_PAGE_SIZE;
  const isBackwards = last != null;
  return {
    // Prisma's `cursor` is not used, because it requires that the row exists.
    conditions: [...beyond('lt', after), ...beyond('gt', before)],
    direction: isBackwards ? ('asc' as const) : ('desc' as const),
    // One more than the page size, to determine whether there are more rows.
    take: size + 1,
    toConnection: <Read extends Row>(rows: readonly Read[]) => {
      const shown = rows.slice(0, size);
      if (isBackwards) shown.reverse();
      const cursors = encodeCursors(appSecret, identity, shown.map(list.cursorOf));
      const edges = shown.map((node, index) => ({ node, cursor: cursors[index] as string }));
      const hasMore = rows.length > size;
      return {
        edges,
        // The row of `after` precedes the page, and the row of `before` follows it.
        pageInfo: {
          hasNextPage: (!isBackwards && hasMore) || before != null,
          hasPreviousPage: (isBackwards && hasMore) || after != null,
          startCursor: edges.at(0)?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        },
      };
    },
  };
}

const MAX_INT = 2 ** 31 - 1;

const toInt = (count: bigint) => Math.min(Number(count), MAX_INT);

/** The list of days on which a key was used. */
export const usageDays: KeysetList<Prisma.ApiKeyUsageWhereInput, { readonly day: Date }> = {
  name: 'api_key_usage',
  cursorOf: ({ day }) => ({ sortKeys: [], position: BigInt(day.getTime() / DAY_MS) }),
  beyond: (comparison, { position }) => ({ day: { [comparison]: new Date(Number(position) * DAY_MS) } }),
};

const ScopeUsageType = builder.prismaObject('ApiKeyScopeUsage', {
  name: 'ScopeUsage',
  description: 'The requests of a key on one day that used one scope.',
  select: { apiKeyId: true, day: true, scope: true },
  findUnique: ({ apiKeyId, day, scope }, { domainContext }) => ({
    apiKeyId_day_scope: { apiKeyId, day, scope },
    usage: { key: { organizationId: domainContext.caller.organization.id } },
  }),
  fields: (t) => ({
    scope: t.exposeString('scope', { description: 'The scope, in the form `{resource}.{operation}`.' }),
    requests: t.int({
      description: 'The number of REST and GraphQL requests that used the scope.',
      select: { requests: true },
      resolve: ({ requests }) => toInt(requests),
    }),
  }),
});

const ApiKeyUsageDayType = builder.prismaObject('ApiKeyUsage', {
  name: 'ApiKeyUsageDay',
  description: 'The usage of a key on one day. Requests of the last few seconds may not be included yet.',
  select: { apiKeyId: true, day: true },
  findUnique: ({ apiKeyId, day }, { domainContext }) => ({
    apiKeyId_day: { apiKeyId, day },
    key: { organizationId: domainContext.caller.organization.id },
  }),
  fields: (t) => ({
    day: t.field({
      type: 'Date',
      description: 'The day, in UTC.',
      resolve: ({ day }) => day.toISOString().slice(0, 10),
    }),
    points: t.int({
      description: 'The number of points that were charged to the key’s rate limit.',
      select: { points: true },
      resolve: ({ points }) => toInt(points),
    }),
    scopes: t.relation('scopes', {
      ...extensions(embeddedList),
      type: ScopeUsageType,
      description: 'The usage by scope, sorted by name; empty for days before the service counted usage by scope.',
      query: { orderBy: { scope: 'asc' } },
    }),
  }),
});

/** A page of days on which a key was used. */
export const ApiKeyUsageConnectionType = builder.connectionObject(
  {
    type: ApiKeyUsageDayType,
    name: 'ApiKeyUsageConnection',
    description: 'A page of days on which a key was used.',
  },
  { name: 'ApiKeyUsageEdge', description: 'A day in a list.' },
);

/** The list of audit entries of a key. */
export const auditEntries: KeysetList<Prisma.AuditEntryWhereInput, { readonly id: bigint }> = {
  name: 'audit_entry',
  cursorOf: ({ id }) => ({ sortKeys: [], position: id }),
  beyond: (comparison, { position }) => ({ id: { [comparison]: position } }),
};

const AuditEntryType = builder.prismaObject('AuditEntry', {
  description: 'A write that the scopes of the key allowed. It may have succeeded or failed.',
  select: { id: true },
  findUnique: ({ id }, { domainContext: { caller } }) => ({
    organizationId_id: { organizationId: caller.organization.id, id },
    apiKeyId: caller.keyId,
  }),
  fields: (t) => ({
    id: t.id({
      description: 'Id. It contains no information about the order or number of entries.',
      resolve: ({ id }, _args, { domainContext }) => auditEntryId(domainContext, id),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the write was made.' }),
    api: t.exposeString('channel', { description: 'The API that was called: `rest` or `graphql`.' }),
    operation: t.exposeString('operation', {
      description: 'The name of the operation, which is the same for both APIs.',
    }),
    recordId: t.exposeString('recordId', {
      nullable: true,
      description:
        'The id of the record that was written, or that a failed write would have changed; null if there is none.',
    }),
    result: t.exposeString('result', { description: '`ok`, or the error code of a write that failed.' }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description: 'The id of the request, as in the `X-Request-Id` header of its response.',
    }),
  }),
});

/** A page of audit entries. */
export const AuditEntryConnectionType = builder.connectionObject(
  { type: AuditEntryType, name: 'AuditEntryConnection', description: 'A page of audit entries.' },
  { name: 'AuditEntryEdge', description: 'An audit entry in a list.' },
);

/** The list of failed requests of a key. */
export const failedRequests: KeysetList<
  Prisma.ApiKeyFailedRequestWhereInput,
  { readonly at: Date; readonly id: bigint }
> = {
  name: 'api_key_failed_request',
  cursorOf: ({ at, id }) => ({ sortKeys: [at.toISOString()], position: id }),
  beyond: (comparison, { sortKeys: [key = ''], position }) => {
    const at = new Date(key);
    return { OR: [{ at: { [comparison]: at } }, { at, id: { [comparison]: position } }] };
  },
};

/** Returns the time before which failed requests are no longer returned, because they will be deleted. */
export function oldestFailedRequest(): Date {
  return new Date(Date.now() - FAILED_REQUEST_DAYS * DAY_MS);
}

const FailedRequestType = builder.prismaObject('ApiKeyFailedRequest', {
  name: 'FailedRequest',
  description:
    'A request of the key that was refused or failed. Except for the request id, it contains nothing that the client sent.',
  select: { apiKeyId: true, id: true },
  findUnique: ({ apiKeyId, id }, { domainContext }) => ({
    apiKeyId_id: { apiKeyId, id },
    key: { organizationId: domainContext.caller.organization.id },
  }),
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the request failed.' }),
    api: t.exposeString('api', { description: 'The API that was called: `rest` or `graphql`.' }),
    operation: t.exposeString('operation', {
      nullable: true,
      description:
        'The `operationId` in the REST API’s description, or the root fields in the GraphQL schema; null if the request did not lead to an operation.',
    }),
    status: t.exposeInt('status', { description: 'The HTTP status of the response.' }),
    code: t.exposeString('code', { description: 'The error code; for GraphQL, the code of the first error.' }),
    field: t.exposeString('field', {
      nullable: true,
      description:
        'The first invalid field, with the fields of the document that lead to it, or the missing scope; null if there is none, or if the API has no field of that name.',
    }),
    requestId: t.exposeString('requestId', {
      description: 'The id of the request, as in the `X-Request-Id` header of its response.',
    }),
    cost: t.exposeInt('cost', { description: 'The number of points that were charged.' }),
  }),
});

/** A page of failed requests. */
export const FailedRequestConnectionType = builder.connectionObject(
  { type: FailedRequestType, name: 'FailedRequestConnection', description: 'A page of failed requests.' },
  { name: 'FailedRequestEdge', description: 'A failed request in a list.' },
);
