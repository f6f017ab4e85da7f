import { ApiKeyType, callersKey } from './api-key.ts';
import { builder } from './builder.ts';

const OrganizationType = builder.prismaObject('Organization', {
  description: 'The organization that the key belongs to, and that every request acts on.',
  select: { id: true },
  findUnique: (_organization, { domain }) => ({ id: domain.caller.organization.id }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id.' }),
    name: t.exposeString('name', { description: 'Name.' }),
    country: t.exposeString('country', {
      description: 'ISO 3166-1 alpha-2; phone numbers without a country code are read in it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the organization was made.' }),
  }),
});

const ViewerType = builder.prismaObject('ApiKey', {
  variant: 'Viewer',
  description: 'Who asks: the API key of this request.',
  select: { id: true },
  findUnique: (_key, { domain }) => callersKey(domain),
  fields: (t) => ({
    organization: t.relation('organization', { type: OrganizationType, description: 'The key’s organization.' }),
    key: t.variant(ApiKeyType, { description: 'The key itself, its usage and its audit entries.' }),
    keyName: t.exposeString('name', { description: 'The name given to the key.' }),
    scopes: t.exposeStringList('scopes', { description: 'What the key may do.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; null: never.',
    }),
    rateLimit: t.int({
      description:
        'The rate limit of the key, in points per minute, for REST and GraphQL together. The rest is in `extensions.rateLimit`.',
      resolve: (_viewer, _args, { rateLimit }) => rateLimit,
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.prismaField({
    type: ViewerType,
    description: 'The key of this request and its organization. Needs no scope.',
    // Relations come by joins: whatever is selected of the key is one statement. Not findUnique, of which Prisma joins
    // those of one tick: no statement may read the keys of two organizations.
    resolve: (query, _root, _args, { prisma, domain }) =>
      prisma.apiKey.findFirstOrThrow({ ...query, relationLoadStrategy: 'join', where: callersKey(domain) }),
  }),
);
