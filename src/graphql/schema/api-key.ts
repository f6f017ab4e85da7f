import { queryFromInfo } from '@pothos/plugin-prisma';
import type { Context } from '../../domain/context.ts';
import { nestedConnection } from '../execution/field-extensions.ts';
import { ApiKeyUsageConnectionType, usageDays } from './api-key-usage.ts';
import { AuditEntryConnectionType, auditEntries } from './audit-entry.ts';
import { builder } from './builder.ts';
import { type PrismaPage, prismaPage } from './prisma-page.ts';

const NODES = ['edges', 'node'];

/** The condition of the only key that is ever read: the caller's, in the caller's organization. */
export function callersKey({ caller }: Context) {
  return { id: caller.keyId, organizationId: caller.organization.id };
}

/** The caller's API key. */
export const ApiKeyType = builder.prismaObject('ApiKey', {
  description: 'An API key, without its secret, which is shown only once, when the key is created.',
  select: { id: true },
  findUnique: (_key, { domain }) => callersKey(domain),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id.' }),
    name: t.exposeString('name', { description: 'The name given to the key.' }),
    scopes: t.exposeStringList('scopes', { description: 'What the key may do.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; null: never.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was created.' }),
    firstUsedAt: t.expose('firstUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was first used; null if it has not been used.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was last used, to within a few seconds; null if it has not been used.',
    }),
    usage: t.field({
      type: ApiKeyUsageConnectionType,
      nullable: true,
      description: 'The usage of the key by day, newest first; days without usage are left out. Costs one point.',
      ...nestedConnection,
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
      description: 'The writes made with the key, successful or refused, newest first. Costs one point.',
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
        // Not a relation: a foreign key would make every audited write lock the row of its key.
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

/** Wrong arguments select nothing: `resolve` refuses them, where that nulls the field alone, and not the viewer. */
function usagePage(args: object, domain: Context): Pick<PrismaPage<Date, unknown>, 'range' | 'direction' | 'take'> {
  try {
    return prismaPage(usageDays, args, domain);
  } catch {
    return { range: {}, direction: 'desc', take: 0 };
  }
}
