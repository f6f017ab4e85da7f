import type { GraphQLContext } from '../data/context.ts';
import { builder } from './builder.ts';

const OrganizationType = builder.prismaObject('Organization', {
  description: 'The organization that the key belongs to, and that every request acts on.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id.' }),
    name: t.exposeString('name', { description: 'Name.' }),
    country: t.exposeString('country', {
      description: 'ISO 3166-1 alpha-2; phone numbers without a country code are read in it.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the organization was made.',
      resolve: ({ createdAt }) => createdAt.toISOString(),
    }),
  }),
});

const ViewerType = builder.objectRef<GraphQLContext['domain']['caller']>('Viewer').implement({
  description: 'Who asks: the API key of this request.',
  fields: (t) => ({
    organization: t.prismaField({
      type: OrganizationType,
      description: 'The key’s organization.',
      resolve: (query, { organization }, _args, { prisma }) =>
        prisma.organization.findUniqueOrThrow({ ...query, where: { id: organization.id } }),
    }),
    keyName: t.exposeString('keyName', { description: 'The name given to the key.' }),
    scopes: t.stringList({ description: 'What the key may do.', resolve: ({ scopes }) => [...scopes] }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; null: never.',
    }),
    rateLimit: t.int({
      description:
        'The key’s budget, in units a minute, for both doors. What is left stands in `extensions.rateLimit`.',
      resolve: (_viewer, _args, { rateLimit }) => rateLimit,
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    description: 'The key of this request and its organization. Needs no scope.',
    resolve: (_root, _args, { domain }) => domain.confirmed,
  }),
);
