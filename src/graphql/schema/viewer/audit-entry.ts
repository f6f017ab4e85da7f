import { auditEntryId } from '../../../domain/admin/audit-log.ts';
import type { Prisma } from '../../../store/generated/client.ts';
import { builder } from '../builder.ts';
import type { KeysetList } from './prisma-page.ts';

/** The list of audit entries of a key. */
export const auditEntries: KeysetList<Prisma.AuditEntryWhereInput, { readonly id: bigint }> = {
  name: 'audit_entry',
  placeOf: ({ id }) => ({ keys: [], position: id }),
  beyond: (comparison, { position }) => ({ id: { [comparison]: position } }),
};

const AuditEntryType = builder.prismaObject('AuditEntry', {
  description: 'A write that the scopes of the key allowed. It may have succeeded or failed.',
  select: { id: true },
  findUnique: ({ id }, { domain: { caller } }) => ({
    organizationId_id: { organizationId: caller.organization.id, id },
    apiKeyId: caller.keyId,
  }),
  fields: (t) => ({
    id: t.id({
      description: 'Id. It contains no information about the order or number of entries.',
      resolve: ({ id }, _args, { domain }) => auditEntryId(domain, id),
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
