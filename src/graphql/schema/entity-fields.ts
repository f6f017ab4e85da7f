import type { EnumRef, FieldMap, ObjectFieldBuilder } from '@pothos/core';
import { memoize } from '../../domain/core/memoize.ts';
import type { EnumDefinition } from '../../domain/definition/enum.ts';
import {
  type Field,
  type FieldsByName,
  type ObjectDefinition,
  shownFields,
  type ValuesOf,
} from '../../domain/definition/field.ts';
import { embeddedList, extensions } from '../data/field-extensions.ts';
import { camelCase } from '../naming.ts';
import { builder, objectRef, type SchemaTypes } from './builder.ts';

type FieldBuilder<Parent> = ObjectFieldBuilder<SchemaTypes, Parent>;

/**
 * Exposes the fields of a definition.
 *
 * @param keyOf returns the key of a field in the parent for its name in the definition.
 */
export function exposeFields<Parent>(
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
