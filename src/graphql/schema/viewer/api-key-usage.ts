import { DAY_MS } from '../../../domain/values/time-zone.ts';
import type { Prisma } from '../../../store/generated/client.ts';
import { embeddedList, extensions } from '../../data/field-extensions.ts';
import { builder } from '../builder.ts';
import type { KeysetList } from './prisma-page.ts';

const MAX_INT = 2 ** 31 - 1;

const toInt = (count: bigint) => Math.min(Number(count), MAX_INT);

/** The list of days on which a key was used. */
export const usageDays: KeysetList<Prisma.ApiKeyUsageWhereInput, { readonly day: Date }> = {
  name: 'api_key_usage',
  placeOf: ({ day }) => ({ keys: [], position: BigInt(day.getTime() / DAY_MS) }),
  beyond: (comparison, { position }) => ({ day: { [comparison]: new Date(Number(position) * DAY_MS) } }),
};

const ScopeUsageType = builder.prismaObject('ApiKeyScopeUsage', {
  name: 'ScopeUsage',
  description: 'The requests of a key on one day that used one scope.',
  select: { apiKeyId: true, day: true, scope: true },
  findUnique: ({ apiKeyId, day, scope }, { domain }) => ({
    apiKeyId_day_scope: { apiKeyId, day, scope },
    usage: { key: { organizationId: domain.caller.organization.id } },
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
  findUnique: ({ apiKeyId, day }, { domain }) => ({
    apiKeyId_day: { apiKeyId, day },
    key: { organizationId: domain.caller.organization.id },
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
