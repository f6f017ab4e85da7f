import type { ArgBuilder } from '@pothos/core';
import {
  CHANGE_OPERATIONS,
  CHANGE_RESOURCES,
  type Change,
  type ChangePage,
  listChanges,
  MAX_WAIT_SECONDS,
} from '../../domain/changes/changes.ts';
import { followChanges } from '../../domain/changes/follow-changes.ts';
import type { Watch } from '../../domain/core/context.ts';
import { ENTITIES } from '../../domain/entities/registry.ts';
import { DEFAULT_PAGE_SIZE } from '../../domain/lists/page.ts';
import { MAX_MEMBER_IDS } from '../../domain/values/limits.ts';
import { extensions, type FieldExtensions } from '../data/field-extensions.ts';
import { runOperation } from '../data/run-operation.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { findNode } from './node.ts';

const ChangeResource = builder.enumType('ChangeResource', {
  description: 'The name of a list, with the same values as in REST.',
  values: Object.fromEntries(
    CHANGE_RESOURCES.map((name) => [name, { value: name, description: ENTITIES[name].entity.description }]),
  ),
});

const ChangeOperation = builder.enumType('ChangeOperation', {
  description: 'The kind of a change, with the same values as in REST.',
  values: Object.fromEntries(
    Object.entries(CHANGE_OPERATIONS).map(([name, description]) => [name, { value: name, description }]),
  ),
});

/** A change with its cursor. */
export type StreamedChange = Change & { readonly cursor: string };

const ChangeType = builder.objectRef<StreamedChange>('Change').implement({
  description: 'The latest change of a record.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', {
      description: 'The position of the change in the feed: `after` continues from it.',
    }),
    resource: t.field({
      type: ChangeResource,
      description: 'The list of the record.',
      resolve: ({ resource }) => resource as never,
    }),
    id: t.id({ description: 'The id of the record: `form_12` for the form 12.', resolve: nodeIdOf }),
    operation: t.field({
      type: ChangeOperation,
      description: 'The kind of change.',
      resolve: ({ operation }) => operation as never,
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the record was changed.' }),
    record: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: `The record as it is now; null if it was removed. Costs one point per selection, regardless of the number of changes. If the \`memberIds\` of departments would have more than ${MAX_MEMBER_IDS.toLocaleString('en-US')} ids in total, the error is \`query_too_complex\`; request fewer changes at once.`,
      ...extensions({ size: { records: 1, cost: 1 } }),
      resolve: (change, _args, context, info) =>
        change.operation === 'removed' ? null : findNode(context, nodeIdOf(change), info),
    }),
  }),
});

const ChangeConnectionType = builder.connectionObject(
  {
    type: ChangeType,
    name: 'ChangeConnection',
    description:
      'A page of changes. `pageInfo.endCursor` is never null: on an empty page it is the cursor to continue from later.',
    fields: (t) => ({
      nodes: t.field({
        type: [ChangeType],
        description: 'The changes of the page in order, without cursors.',
        resolve: ({ edges }) => (edges as readonly { node: StreamedChange }[]).map(({ node }) => node),
      }),
    }),
  },
  { name: 'ChangeEdge', description: 'A change in the list.' },
);

const changeArguments = (arg: ArgBuilder<SchemaTypes>) => ({
  after: arg.string({ description: 'Returns only changes after this cursor.' }),
  resources: arg({
    type: [ChangeResource],
    description:
      'Returns only changes of these resources. Default: all resources for which the key has the scope. A cursor is valid only for the resources of the request that returned it.',
  }),
});

const nodeTypes: NonNullable<FieldExtensions['nodeTypes']> = ({ resources }, scopes) =>
  ((resources ?? CHANGE_RESOURCES) as typeof CHANGE_RESOURCES)
    .map((name) => ENTITIES[name].entity)
    .filter(({ scope }) => resources != null || scopes.has(scope))
    .map(({ name }) => name);

builder.queryField('changes', (t) =>
  t.field({
    type: ChangeConnectionType,
    nullable: true,
    description:
      'The records that were created, updated or removed since the cursor, each with its latest change, in the order of these changes; without `after`, every record. Store `pageInfo.endCursor`, which is never null, and continue from it later. The error `invalid_cursor` means that the cursor belongs to other resources, or that the database was restored or failed over: discard your copy of the records, and start again without a cursor. Scope: that of each resource.',
    ...extensions({
      size: { records: 'page', cost: 0 },
      counterpart: {
        operation: listChanges,
        // The equivalent of a request that waits is the subscription.
        toArguments: ({ first, after, resources, wait }) => (wait ? undefined : { first, after, resources }),
        toInput: (args) => args,
      },
      nodeTypes,
    }),
    args: {
      first: t.arg.int({
        description: `The number of changes: an integer from 1; ${DEFAULT_PAGE_SIZE} by default. Values above 100 are treated as 100.`,
      }),
      ...changeArguments(t.arg),
    },
    resolve: async (_root, args, { domainContext }) =>
      toConnection(await runOperation(domainContext, listChanges, { ...args }), Boolean(args.after?.trim())) as never,
  }),
);

builder.subscriptionField('changes', (t) =>
  t.field({
    type: ChangeType,
    description:
      'The changes after the cursor in the order of the feed, each once, and then each further change about a second after it was committed. The id of each event is its cursor: continue from it with `after` or the header `Last-Event-ID`. A record that changes again meanwhile is streamed with its latest change only. The errors are those of the query; a revoked, expired or narrowed key ends the stream. Scope: that of each resource.',
    ...extensions({
      size: { records: 1, cost: 0 },
      counterpart: {
        operation: listChanges,
        toArguments: () => undefined,
        toInput: (args) => ({ ...args, wait: MAX_WAIT_SECONDS }),
      },
      nodeTypes,
    }),
    args: changeArguments(t.arg),
    // Yields pages: src/graphql/subscription executes the operation for several changes at once.
    subscribe: (_root, args, { domainContext, watch }) => followChanges(domainContext, watch as Watch, args) as never,
    resolve: (change) => change as never,
  }),
);

/** The id of a record in GraphQL. It has a prefix if the id in REST is an integer. */
function nodeIdOf({ resource, id }: Change): string {
  const { prefix } = ENTITIES[resource].entity;
  return id.startsWith(`${prefix}_`) ? id : `${prefix}_${id}`;
}

/** @param hasPreviousPage true for a page after a cursor, although the changes before it may have been superseded. */
function toConnection({ edges: changes, nextCursor, hasMore }: ChangePage, hasPreviousPage: boolean) {
  const edges = changes.map(({ node, cursor }) => ({ cursor, node: { cursor, ...node } }));
  const startCursor = edges[0]?.cursor ?? null;
  return { edges, pageInfo: { hasNextPage: hasMore, hasPreviousPage, startCursor, endCursor: nextCursor } };
}
