import { queryFromInfo } from '@pothos/plugin-prisma';
import { FAILED_REQUEST_DAYS, MAX_FAILED_REQUESTS } from '../../../domain/admin/failed-request.ts';
import { getOrganization } from '../../../domain/admin/organization.ts';
import { UNUSED_DAYS, unusedScopes } from '../../../domain/admin/scope-advice.ts';
import type { Context } from '../../../domain/core/context.ts';
import { extensions, prismaConnection } from '../../data/field-extensions.ts';
import { builder } from '../builder.ts';
import {
  ApiKeyUsageConnectionType,
  AuditEntryConnectionType,
  auditEntries,
  FailedRequestConnectionType,
  failedRequests,
  type KeysetList,
  oldestFailedRequest,
  prismaPage,
  usageDays,
} from './key-lists.ts';

const NODES = ['edges', 'node'];

/** The condition for the caller's key, in the caller's organization. No other key is ever read. */
function callersKey({ caller }: Context) {
  return { id: caller.keyId, organizationId: caller.organization.id };
}

/** The options of the fields that `ApiKey` and `Viewer` have in common. */
const keyFields = {
  name: { description: 'The name of the key.' },
  scopes: { description: 'The scopes of the key.' },
  expiresAt: { type: 'DateTime', nullable: true, description: 'When the key expires; null if it never expires.' },
} as const;

/** The caller's API key. */
const ApiKeyType = builder.prismaObject('ApiKey', {
  description: 'An API key. Its secret is shown only when the key is created and cannot be queried.',
  select: { id: true },
  findUnique: (_key, { domainContext }) => callersKey(domainContext),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the key.' }),
    name: t.exposeString('name', keyFields.name),
    description: t.exposeString('description', { nullable: true, description: 'The description of the key.' }),
    scopes: t.exposeStringList('scopes', keyFields.scopes),
    expiresAt: t.expose('expiresAt', keyFields.expiresAt),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was created.' }),
    firstUsedAt: t.expose('firstUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was first used, shown a few seconds later; null if it was never used.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was last used, accurate to a few seconds; null if it was never used.',
    }),
    usage: t.field({
      type: ApiKeyUsageConnectionType,
      nullable: true,
      description: 'The usage of the key by day, newest first. Days without usage are omitted. Costs one point.',
      ...extensions(prismaConnection),
      args: t.arg.connectionArgs(),
      select: (args, { domainContext }, nestedSelection) => {
        const { conditions, direction, take } = pageOrNone(usageDays, args, domainContext);
        const select = { apiKeyId: true, day: true };
        const query = { where: { AND: conditions }, orderBy: { day: direction }, take, select };
        return { usage: nestedSelection(query, NODES) };
      },
      resolve: ({ usage }, args, { domainContext }) => prismaPage(usageDays, args, domainContext).toConnection(usage),
    }),
    auditEntries: t.field({
      type: AuditEntryConnectionType,
      nullable: true,
      description: 'The writes made with the key, including those that failed, newest first. Costs one point.',
      ...extensions(prismaConnection),
      args: t.arg.connectionArgs(),
      resolve: async (_key, args, context, info) => {
        const page = prismaPage(auditEntries, args, context.domainContext);
        const { keyId, organization } = context.domainContext.caller;
        const selected = { typeName: 'AuditEntry', paths: [NODES], select: { id: true } };
        const { select } = queryFromInfo({ context, info, ...selected });
        // Not a Prisma relation: its foreign key would make every audited write lock the row of the API key.
        const entries = await context.store.prisma.auditEntry.findMany({
          select,
          where: { organizationId: organization.id, apiKeyId: keyId, AND: page.conditions },
          orderBy: { id: page.direction },
          take: page.take,
        });
        return page.toConnection(entries);
      },
    }),
    recentRequests: t.field({
      type: FailedRequestConnectionType,
      nullable: true,
      description: `The latest requests of the key that were refused or failed, newest first: at most ${MAX_FAILED_REQUESTS}, of the last ${FAILED_REQUEST_DAYS} days. Requests of the last few seconds may not be included yet. Costs one point.`,
      ...extensions(prismaConnection),
      args: t.arg.connectionArgs(),
      select: (args, { domainContext }, nestedSelection) => {
        const { conditions, direction, take } = pageOrNone(failedRequests, args, domainContext);
        const where = { at: { gt: oldestFailedRequest() }, AND: conditions };
        const select = { apiKeyId: true, id: true, at: true };
        const query = { where, orderBy: [{ at: direction }, { id: direction }], take, select };
        return { failedRequests: nestedSelection(query, NODES) };
      },
      resolve: (key, args, { domainContext }) =>
        prismaPage(failedRequests, args, domainContext).toConnection(key.failedRequests),
    }),
    scopesCountedSince: t.expose('scopesCountedSince', {
      type: 'DateTime',
      description: 'When the service began to count the scopes that requests use: when the key was created, or later.',
    }),
    unusedScopes: t.stringList({
      nullable: true,
      description: `The scopes that no request used in the last ${UNUSED_DAYS} days; null if they have been counted for fewer days. A rotation can create a key without them.`,
      select: {
        scopes: true,
        scopesCountedSince: true,
        operationUsage: { select: { scope: true, lastUsedAt: true } },
      },
      resolve: ({ scopes, scopesCountedSince: countedSince, operationUsage: uses }) =>
        unusedScopes({ scopes, countedSince, uses }, new Date()),
    }),
  }),
});

/**
 * Returns the query of a page. For invalid arguments, it selects nothing, and `resolve` reports the error: only the
 * field is then null, whereas an error in `select` would make the whole viewer null. If `last` is given, ignores
 * `first`: it is either the default, or an error that `resolve` reports.
 */
function pageOrNone<Where, Row>(list: KeysetList<Where, Row>, args: { readonly last?: unknown }, context: Context) {
  try {
    return prismaPage(list, args.last == null ? args : { ...args, first: null }, context);
  } catch {
    return { conditions: [], direction: 'desc' as const, take: 0 };
  }
}

const OrganizationType = builder.prismaObject('Organization', {
  description: 'The organization that the API key belongs to. All requests with the key are limited to it.',
  select: { id: true },
  findUnique: (_organization, { domainContext }) => ({ id: domainContext.caller.organization.id }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the organization.' }),
    name: t.exposeString('name', { description: 'The name of the organization.' }),
    country: t.exposeString('country', {
      description:
        'ISO 3166-1 alpha-2 country code. Phone numbers without a country code are parsed as numbers of this country.',
    }),
    timeZone: t.exposeString('timeZone', {
      description:
        'The IANA time zone of the organization, for example `America/New_York`. It determines the current date. `UTC` if none was set.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the organization was created.' }),
  }),
});

const ViewerType = builder.prismaObject('ApiKey', {
  variant: 'Viewer',
  description: 'The API key of the request.',
  select: { id: true },
  findUnique: (_key, { domainContext }) => callersKey(domainContext),
  fields: (t) => ({
    organization: t.relation('organization', {
      type: OrganizationType,
      description: 'The organization of the key.',
      ...extensions({
        counterpart: {
          operation: getOrganization,
          toArguments: () => ({}),
          toInput: () => ({}),
          parent: { field: 'viewer', toArguments: () => ({}) },
        },
      }),
    }),
    key: t.variant(ApiKeyType, { description: 'The key with its usage and audit entries.' }),
    keyName: t.exposeString('name', keyFields.name),
    scopes: t.exposeStringList('scopes', keyFields.scopes),
    expiresAt: t.expose('expiresAt', keyFields.expiresAt),
    rateLimit: t.int({
      description:
        'The rate limit of the key in points per minute, shared by REST and GraphQL. The remaining points are in `extensions.rateLimit` of each response.',
      resolve: (_viewer, _args, { rateLimit }) => rateLimit,
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.prismaField({
    type: ViewerType,
    description: 'The API key of the request and its organization. Requires no scope.',
    // With joins, the key and its relations are read in one statement. Not `findUnique`: Prisma batches its calls of one
    // tick, and a statement must not read the keys of two organizations.
    resolve: (query, _root, _args, { store: { prisma }, domainContext }) =>
      prisma.apiKey.findFirstOrThrow({ ...query, relationLoadStrategy: 'join', where: callersKey(domainContext) }),
  }),
);
