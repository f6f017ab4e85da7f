import type { EnumRef, FieldMap, ObjectFieldBuilder, ObjectRef } from '@pothos/core';
import { memoize } from '../../domain/core/memoize.ts';
import { type Entity, nameInSentence } from '../../domain/definition/entity.ts';
import {
  type EnumDefinition,
  type Field,
  type FieldsByName,
  type ObjectDefinition,
  shownFields,
  type ValuesOf,
} from '../../domain/definition/field.ts';
import { ENTITIES, type EntityName } from '../../domain/entities/registry.ts';
import { embeddedList, extensions } from '../data/field-extensions.ts';
import { recordLoaders } from '../data/loaders.ts';
import { camelCase, type InCamelCase } from '../naming.ts';
import { loadRecord } from '../raw-json/read.ts';
import { builder, objectRef, type SchemaTypes } from './builder.ts';

type FieldBuilder<Parent> = ObjectFieldBuilder<SchemaTypes, Parent>;

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
export function addType<Node>(entity: Entity<Node>, fields?: (t: FieldBuilder<InCamelCase<Node>>) => FieldMap): void {
  builder.objectType(typeOf(entity), {
    description: entity.description,
    interfaces: [builder.nodeInterfaceRef()],
    fields: (t) => ({ ...exposeFields(t, entity.fields, camelCase), ...referenceFields(t, entity), ...fields?.(t) }),
  });
}

/** The fields with the records that an entity's references refer to: `member` for `member_id`. */
function referenceFields<Node>(t: FieldBuilder<InCamelCase<Node>>, { fields }: Entity<Node>): FieldMap {
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

/**
 * Exposes the fields of a definition.
 *
 * @param keyOf returns the key of a field in the parent for its name in the definition.
 */
function exposeFields<Parent>(
  t: FieldBuilder<Parent>,
  fields: FieldsByName,
  keyOf: (name: string) => string,
): FieldMap {
  const shown = Object.entries(shownFields(fields)).filter(([, { type }]) => type !== 'json');
  return Object.fromEntries(shown.map(([name, field]) => [camelCase(name), exposeField(t, field, keyOf(name))]));
}

function exposeField<Parent>(t: FieldBuilder<Parent>, field: Field, key: string) {
  const { type, description, nullable } = field;
  const resolve = (parent: Parent) => parent[key as keyof Parent] as never;
  if (field.object) {
    const objectType = objectTypeOf(field.object);
    if (type === 'object') return t.field({ type: objectType, nullable, description, resolve });
    return t.field({ type: [objectType], nullable, description, ...extensions(embeddedList), resolve });
  }
  return t.expose(
    key as never,
    { type: outputType(field), nullable, description, ...extensions(type === 'ids' ? embeddedList : {}) } as never,
  );
}

/** The GraphQL type of the fields that are neither enums nor of type `String`. */
const OUTPUT_TYPES = {
  id: 'ID',
  date: 'Date',
  timestamp: 'DateTime',
  boolean: 'Boolean',
  count: 'Int',
  integerId: 'Int',
  texts: ['String'],
  ids: ['ID'],
} as const satisfies Partial<Record<Field['type'], unknown>>;

/** The GraphQL type of a scalar, enum or list of scalars. */
export function outputType({ type, values }: Field) {
  if (values) return enumTypeOf(values);
  return OUTPUT_TYPES[type as keyof typeof OUTPUT_TYPES] ?? 'String';
}

/** The type of an object that is stored in records; `addObjectType` adds it to the schema. */
export function objectTypeOf<Fields extends FieldsByName>({ name }: ObjectDefinition<Fields>) {
  return objectRef<ValuesOf<Fields>>(name);
}

/**
 * Adds the type of an object that is stored in records.
 *
 * @param options further fields, which replace those with the same name, and interfaces.
 */
export function addObjectType<Fields extends FieldsByName>(
  definition: ObjectDefinition<Fields>,
  options: {
    readonly interfaces?: [];
    readonly fields?: (t: FieldBuilder<ValuesOf<Fields>>) => FieldMap;
  } = {},
): void {
  const { description, fields } = definition;
  builder.objectType(objectTypeOf(definition), {
    description,
    ...(options.interfaces && { interfaces: options.interfaces }),
    fields: (t) => ({ ...exposeFields(t, fields, (name) => name), ...options.fields?.(t) }),
  });
}

const enumTypeOf = memoize(({ name, description, values }: EnumDefinition): EnumRef<SchemaTypes, string> => {
  const described = Object.entries(values).map(([value, text]) => [value, { value, description: text }]);
  return builder.enumType(name, { description, values: Object.fromEntries(described) });
});
