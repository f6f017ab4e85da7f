import { getOrganization } from '../../../domain/admin/get-organization.ts';
import { extensions } from '../../data/field-extensions.ts';
import { builder } from '../builder.ts';
import { ApiKeyType, callersKey, keyFields } from './api-key.ts';

const OrganizationType = builder.prismaObject('Organization', {
  description: 'The organization that the API key belongs to. All requests with the key are limited to it.',
  select: { id: true },
  findUnique: (_organization, { domain }) => ({ id: domain.caller.organization.id }),
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
  findUnique: (_key, { domain }) => callersKey(domain),
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
    resolve: (query, _root, _args, { store, domain }) =>
      store.prisma.apiKey.findFirstOrThrow({ ...query, relationLoadStrategy: 'join', where: callersKey(domain) }),
  }),
);
