import { queryFromInfo } from '@pothos/plugin-prisma';
import type { Context } from '../../../domain/core/context.ts';
import type { GraphQLContext } from '../../data/context.ts';
import { extensions, nestedConnection } from '../../execution/field-extensions.ts';
import { builder } from '../builder.ts';
import { ApiKeyUsageConnectionType, usageDays } from './api-key-usage.ts';
import { AuditEntryConnectionType, auditEntries } from './audit-entry.ts';
import { type PrismaPage, prismaPage } from './prisma-page.ts';

const NODES = ['edges', 'node'];

/** The condition for the only key that is ever read: the caller's key, in the caller's organization. */
export function callersKey({ caller }: Context) {
  return { id: caller.keyId, organizationId: caller.organization.id };
}

/** The options of the fields that `ApiKey` and `Viewer` have in common. */
export const keyFields = {
  name: { description: 'The name of the key.' },
  scopes: { description: 'The scopes of the key.' },
  expiresAt: { type: 'DateTime', nullable: true, description: 'When the key expires; null if it never expires.' },
} as const;

/** The caller's API key. */
export const ApiKeyType = builder.prismaObject('ApiKey', {
  description: 'An API key. Its secret is shown only when the key is created and cannot be queried.',
  select: { id: true },
  findUnique: (_key, { domain }) => callersKey(domain),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id.' }),
    name: t.exposeString('name', keyFields.name),
    scopes: t.exposeStringList('scopes', keyFields.scopes),
    expiresAt: t.expose('expiresAt', keyFields.expiresAt),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was created.' }),
    firstUsedAt: t.expose('firstUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was first used; null if it was never used.',
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
      ...extensions<GraphQLContext>({
        ...nestedConnection.extensions,
        sample: undefined,
        check: (args: object, { domain }: GraphQLContext) => prismaPage(usageDays, args, domain),
      }),
      args: t.arg.connectionArgs(),
      select: (args, { domain }, nestedSelection) => {
        const { range, direction, take } = usagePage(args, domain);
        return {
          usage: nestedSelection(
            { where: { day: range }, orderBy: { day: direction }, take, select: { apiKeyId: true, day: true } },
            NODES,
          ),
        };
      },
      resolve: ({ usage }, args, { domain }) => prismaPage(usageDays, args, domain).toConnection(usage),
    }),
    auditEntries: t.field({
      type: AuditEntryConnectionType,
      nullable: true,
      description: 'The writes made with the key, including those that failed, newest first. Costs one point.',
      ...nestedConnection,
      args: t.arg.connectionArgs(),
      resolve: async (_key, args, context, info) => {
        const page = prismaPage(auditEntries, args, context.domain);
        const { keyId, organization } = context.domain.caller;
        const { select } = queryFromInfo({
          ...{ context, info, typeName: 'AuditEntry' },
          paths: [NODES],
          select: { id: true },
        });
        // Not a Prisma relation: its foreign key would make every audited write lock the row of the API key.
        const entries = await context.prisma.auditEntry.findMany({
          select,
          where: { organizationId: organization.id, apiKeyId: keyId, id: page.range },
          orderBy: { id: page.direction },
          take: page.take,
        });
        return page.toConnection(entries);
      },
    }),
  }),
});

/**
 * The query of a page of usage. For invalid arguments it selects nothing: `resolve` reports them, so that only the field
 * becomes null, whereas an error in `select` would fail the whole viewer.
 */
function usagePage(args: object, domain: Context): Pick<PrismaPage<Date, unknown>, 'range' | 'direction' | 'take'> {
  try {
    return prismaPage(usageDays, args, domain);
  } catch {
    return { range: {}, direction: 'desc', take: 0 };
  }
}
