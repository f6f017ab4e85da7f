import type { FieldMap, ObjectFieldBuilder, ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import type { Operation } from '../../domain/core/operation.ts';
import { type Entity, nameInSentence, pluralInSentence } from '../../domain/definition/entity.ts';
import { shownFields } from '../../domain/definition/field.ts';
import type { ListOperation } from '../../domain/definition/list.ts';
import { ENTITIES, type EntityName } from '../../domain/entities/registry.ts';
import type { JsonRecord } from '../../domain/records/json-record.ts';
import { capitalize, withArticle } from '../../domain/values/words.ts';
import { extensions } from '../data/field-extensions.ts';
import { recordLoaders } from '../data/loaders.ts';
import { camelCase, type InCamelCase } from '../naming.ts';
import { loadRecord, readRecord } from '../raw-json/read.ts';
import { builder, objectRef, type SchemaTypes } from './builder.ts';
import { connectionFields, readConnection } from './connection.ts';
import { exposeFields } from './entity-fields.ts';
import { filterTypeOf, listArgumentsOf, listInputOf, orderTypeOf } from './list-arguments.ts';

/** Returns a reference to the object type of an entity, even before the type is added. */
export function typeOf<Node>({ name }: Entity<Node>): ObjectRef<SchemaTypes, InCamelCase<Node>> {
  return objectRef(name);
}

/** Returns the GraphQL name of a field with one record of an entity: `prayerRequest`. */
export function fieldNameOf({ name }: { readonly name: string }): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/**
 * Adds the object type of an entity.
 *
 * @param fields additional fields; a field with the name of a defined one replaces it.
 */
export function addType<Node>(
  entity: Entity<Node>,
  fields?: (t: ObjectFieldBuilder<SchemaTypes, InCamelCase<Node>>) => FieldMap,
): void {
  builder.objectType(typeOf(entity), {
    description: entity.description,
    interfaces: [builder.nodeInterfaceRef()],
    fields: (t) => ({ ...exposeFields(t, entity.fields, camelCase), ...referenceFields(t, entity), ...fields?.(t) }),
  });
}

/** The fields with the records that an entity's references refer to: `member` for `member_id`. */
function referenceFields<Node>(
  t: ObjectFieldBuilder<SchemaTypes, InCamelCase<Node>>,
  { fields }: Entity<Node>,
): FieldMap {
  const references = Object.entries(shownFields(fields)).filter(([, { reference }]) => reference);
  return Object.fromEntries(
    references.map(([name, { reference, description, nullable }]) => {
      const { name: typeName, plural, scope } = reference as Entity;
      const column = camelCase(name);
      const noun = nameInSentence({ name: typeName });
      const field = t.field({
        type: objectRef(typeName),
        nullable: true,
        description: `The ${noun} of \`${column}\`. ${description} ${nullable ? 'Null if there is none. ' : ''}Scope: \`${scope}\`.`,
        ...extensions({ scopes: ENTITIES[plural as EntityName].find.scopes, columns: [column] }),
        resolve: (parent, _args, { loaders }, info) => {
          const id = (parent as Readonly<Record<string, unknown>>)[column] as string | null;
          const loader = recordLoaders[plural as 'members'];
          return id === null ? null : (loadRecord(loaders.get(loader), id, info) as never);
        },
      });
      return [column.replace(/Id$/, ''), field];
    }),
  );
}

/** Adds the connection type of an entity, and returns it. */
export function addConnection<Node>(entity: Entity<Node>) {
  const { name } = entity;
  const type = typeOf(entity);
  return builder.connectionObject(
    {
      type,
      name: `${name}Connection`,
      description: `A page of ${pluralInSentence(entity)}.`,
      fields: connectionFields(type),
    },
    { name: `${name}Edge`, description: `${capitalize(withArticle(nameInSentence(entity)))} in a list.` },
  );
}

/**
 * Adds the root field that lists the records of an entity, and its connection type.
 *
 * @param description the description of the field, if it differs from those of other lists.
 * @returns the connection type, for nested lists of the same records.
 */
export function addList<Node>(
  entity: Entity<Node>,
  list: ListOperation<Node>,
  description = `The ${pluralInSentence(entity)} of the organization.`,
) {
  const { plural, scope } = entity;
  const records = pluralInSentence(entity);
  const connection = addConnection(entity);
  const [filter, order] = [filterTypeOf(entity, list), orderTypeOf(entity, list)];
  builder.queryField(camelCase(plural), (t) =>
    t.field({
      type: connection,
      nullable: true,
      description: `${description} Scope: \`${scope}\`.`,
      ...extensions({
        size: { records: 'page', cost: 0 },
        returnsRawJson: true,
        counterpart: { operation: list, toArguments: listArgumentsOf, toInput: (args) => listInputOf(args, list) },
      }),
      args: {
        search: t.arg.string({ description: list.searchDescription }),
        ...(filter && {
          filter: t.arg({ type: filter, description: `Returns only ${records} that meet all conditions.` }),
        }),
        orderBy: t.arg({ type: order, description: 'The order. Default: the order in which they were added.' }),
        ...t.arg.connectionArgs(),
      },
      resolve: (_root, args, context, info) => readConnection(context, list, listInputOf(args, list), info) as never,
    }),
  );
  return connection;
}

/**
 * Adds the root field that reads one record of an entity by id.
 *
 * @param id if the ids in GraphQL and in the domain differ: the description of the argument, and a function that
 *   converts a GraphQL id to the id in the domain.
 */
export function addGet<Node>(
  entity: Entity<Node>,
  get: Operation<z.ZodType, JsonRecord<Node>>,
  id: { readonly description?: string; readonly toDomain?: (id: string) => string } = {},
): void {
  const noun = nameInSentence(entity);
  const { description, toDomain = (one: string) => one } = id;
  const inputOf = (args: { readonly id?: unknown }) => ({ id: toDomain(String(args.id)) });
  builder.queryField(fieldNameOf(entity), (t) =>
    t.field({
      type: typeOf(entity),
      nullable: true,
      description: `The ${noun} with this id. If it does not exist: null, with the error \`not_found\`. Scope: \`${get.scopes[0]}\`.`,
      ...extensions({
        returnsRawJson: true,
        counterpart: {
          operation: get,
          toArguments: ({ include: _, ...input }) => input,
          toInput: inputOf,
        },
      }),
      args: { id: t.arg.id({ required: true, description: description ?? `The ${noun}’s id.` }) },
      resolve: (_root, args, context, info) => readRecord(context, get, inputOf(args), info) as never,
    }),
  );
}
