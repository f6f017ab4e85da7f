import { brandWithType } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import { findFormFields, formField } from '../../domain/entities/form-field.ts';
import { ENTITIES, type EntityName } from '../../domain/entities/registry.ts';
import { MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import { parseIntegerId } from '../../domain/values/ids.ts';
import { MAX_MEMBER_IDS } from '../../domain/values/limits.ts';
import type { GraphQLContext } from '../data/context.ts';
import { extensions } from '../data/field-extensions.ts';
import { formFieldLoader, type LoaderFactory, type RecordLoader, recordLoaders } from '../data/loaders.ts';
import { loadRecord } from '../raw-json/read.ts';
import { builder } from './builder.ts';

interface NodeType {
  readonly name: string;
  readonly loader: LoaderFactory<RecordLoader<never, object>>;
  /** The scopes of the operation that reads them. */
  readonly scopes: readonly Scope[];
  /** Whether its ids are a prefix and the integer id of the record. */
  readonly hasIntegerId: boolean;
}

const TYPES_BY_PREFIX: Readonly<Record<string, NodeType>> = {
  ...Object.fromEntries(
    Object.values(ENTITIES).map(({ entity: { prefix, name, plural, fields }, find: { scopes } }) => [
      prefix,
      { name, loader: recordLoaders[plural as EntityName], scopes, hasIntegerId: fields.id.type === 'integerId' },
    ]),
  ),
  field: { name: formField.name, loader: formFieldLoader, scopes: findFormFields.scopes, hasIntegerId: true },
};

/** States how the ids of records begin. */
export const ID_PREFIXES = `ids begin with ${Object.keys(TYPES_BY_PREFIX)
  .map((prefix) => `${prefix}_`)
  .sort()
  .join(', ')}`;

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      'The record with this id. If it does not exist: null, with the error `not_found`. Scope: that of the record type.',
    ...extensions({ nodeTypes: ({ id }) => [typeNameOfId(String(id))] }),
    args: { id: t.arg.id({ required: true, description: 'The id of a record of any type.' }) },
    resolve: (_root, { id }, context, info) => loadNode(context, id, info),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: true, items: true },
    description: `The records with these ids (at most 100), in the same order. A record that does not exist is null, with the error \`not_found\`. If the \`memberIds\` of departments would have more than ${MAX_MEMBER_IDS.toLocaleString('en-US')} ids in total, the error is \`query_too_complex\`; request fewer records at once.`,
    ...extensions({
      size: { records: { itemsOf: 'ids' }, cost: 0 },
      nodeTypes: ({ ids }) => (ids as readonly string[]).map(typeNameOfId),
    }),
    args: { ids: t.arg.idList({ required: true, description: 'The ids of records of any type.' }) },
    resolve: (_root, { ids }, context, info) => {
      if (ids.length > MAX_PAGE_SIZE) {
        throw invalidRequest({ field: 'ids', message: `must contain at most ${MAX_PAGE_SIZE} ids` });
      }
      return Promise.all(ids.map((id) => loadNode(context, id, info).catch((error: Error) => error as never)));
    },
  }),
}));

async function loadNode(context: GraphQLContext, id: string, info: GraphQLResolveInfo): Promise<object> {
  const record = await findNode(context, id, info);
  const hint = /[,;\s]/.test(id.trim()) ? 'write several ids as a list, as in nodes(ids: ["a", "b"])' : ID_PREFIXES;
  if (!record) throw new ServiceError('not_found', `Node not found; ${hint}`);
  return record;
}

/**
 * Loads the record with this id, with the fields that `info` selects.
 *
 * @returns null if it does not exist.
 */
export async function findNode(
  { loaders }: GraphQLContext,
  id: string,
  info: GraphQLResolveInfo,
): Promise<object | null> {
  const type = nodeTypeOfId(id);
  if (!type) return null;
  const recordId = type.hasIntegerId ? parseIntegerId(id.slice(id.indexOf('_') + 1)) : id;
  if (recordId === undefined) return null;
  const record = await loadRecord(loaders.get(type.loader), recordId as never, info, info.schema.getType(type.name));
  if (record) brandWithType(record, type.name as never);
  return record;
}

/** Returns the name of the type whose ids have the prefix of this id; undefined if there is none. */
export function typeNameOfId(id: string): string | undefined {
  return nodeTypeOfId(id)?.name;
}

/** Returns the scopes that reading records of a type by id requires. */
export function scopesOfType(name: string): readonly Scope[] {
  return Object.values(TYPES_BY_PREFIX).find((type) => type.name === name)?.scopes ?? [];
}

function nodeTypeOfId(id: string): NodeType | undefined {
  const [prefix = '', rest] = id.split('_', 2);
  return rest !== undefined && Object.hasOwn(TYPES_BY_PREFIX, prefix) ? TYPES_BY_PREFIX[prefix] : undefined;
}
