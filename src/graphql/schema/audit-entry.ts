import { builder } from './builder.ts';
import type { KeysetList } from './prisma-page.ts';

/** The audit entries of a key. */
export const auditEntries: KeysetList<bigint, { readonly id: bigint }> = {
  name: 'audit_entry',
  positionOf: ({ id }) => Number(id),
  valueAt: BigInt,
};

const AuditEntryType = builder.prismaObject('AuditEntry', {
  description: 'A write that the key’s scopes allowed, whether it succeeded or was refused.',
  select: { id: true },
  findUnique: ({ id }, { domain: { caller } }) => ({
    organizationId_id: { organizationId: caller.organization.id, id },
    apiKeyId: caller.keyId,
  }),
  fields: (t) => ({
    id: t.id({ description: 'Id; later entries have a higher one.', resolve: ({ id }) => String(id) }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    api: t.exposeString('door', { description: 'The API that was called: `rest` or `graphql`.' }),
    operation: t.exposeString('operation', { description: 'The name of the operation, the same for both APIs.' }),
    recordId: t.exposeString('recordId', {
      nullable: true,
      description: 'The id of the record that was written; null if it was refused.',
    }),
    result: t.exposeString('result', { description: '`ok`, or the error code with which it was refused.' }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description: 'The id of the request, as in its `X-Request-Id` header.',
    }),
  }),
});

/** The audit entries of a key, as a page. */
export const AuditEntryConnectionType = builder.connectionObject(
  { type: AuditEntryType, name: 'AuditEntryConnection', description: 'A page of audit entries.' },
  { name: 'AuditEntryEdge', description: 'An audit entry in a list.' },
);
