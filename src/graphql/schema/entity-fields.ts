import type { EnumRef, FieldMap, ObjectFieldBuilder, ObjectRef } from '@pothos/core';
import type { Entity } from '../../domain/definition/entity.ts';
import type { EnumDefinition } from '../../domain/definition/enum.ts';
import type { Field, FieldsByName, ObjectDefinition, ValuesOf } from '../../domain/definition/field.ts';
import { embeddedList } from '../operation/field-extensions.ts';
import { camelCase } from '../operation/naming.ts';
import { builder, type SchemaTypes } from './builder.ts';

type FieldBuilder<Parent> = ObjectFieldBuilder<SchemaTypes, Parent>;

/** The fields of an entity's object type. */
export function entityFields<Parent>(t: FieldBuilder<Parent>, { fields }: Pick<Entity, 'fields'>): FieldMap {
  return exposeFields(t, fields, camelCase);
}

/**
 * Exposes defined fields.
 *
 * @param keyOf the key of a field in the parent, by its name in the definition.
 */
function exposeFields<Parent>(
  t: FieldBuilder<Parent>,
  fields: FieldsByName,
  keyOf: (name: string) => string,
): FieldMap {
  const shown = Object.entries(fields).filter(([, { hidden, type }]) => !hidden && type !== 'json');
  return Object.fromEntries(shown.map(([name, field]) => [camelCase(name), exposeField(t, field, keyOf(name))]));
}

function exposeField<Parent>(t: FieldBuilder<Parent>, field: Field, key: string) {
  const { type, description, nullable } = field;
  const resolve = (parent: Parent) => parent[key as keyof Parent] as never;
  if (type === 'objects') {
    const objectType = objectTypeOf(field.object as ObjectDefinition);
    return t.field({ type: [objectType], nullable, description, ...embeddedList, resolve });
  }
  if (type === 'object') {
    return t.field({ type: objectTypeOf(field.object as ObjectDefinition), nullable, description, resolve });
  }
  const extensions = type === 'ids' ? embeddedList : {};
  return t.expose(key as never, { type: outputType(field), nullable, description, ...extensions } as never);
}

/** The GraphQL type of a scalar, enum or list of scalars. */
export function outputType({ type, values }: Field) {
  switch (type) {
    case 'id':
      return 'ID';
    case 'date':
      return 'Date';
    case 'timestamp':
      return 'DateTime';
    case 'boolean':
      return 'Boolean';
    case 'count':
    case 'integerId':
      return 'Int';
    case 'enum':
      return enumTypeOf(values as EnumDefinition);
    case 'texts':
      return ['String'];
    case 'ids':
      return ['ID'];
    default:
      return 'String';
  }
}

const objectTypes = new Map<FieldsByName, unknown>();

/** The type of an object that is stored in records; `addObjectType` adds it to the schema. */
export function objectTypeOf<Fields extends FieldsByName>({ name, fields }: ObjectDefinition<Fields>) {
  const type = objectTypes.get(fields) ?? builder.objectRef<ValuesOf<Fields>>(name);
  objectTypes.set(fields, type);
  return type as ObjectRef<SchemaTypes, ValuesOf<Fields>>;
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

const enumTypes = new Map<EnumDefinition, EnumRef<SchemaTypes, string>>();

function enumTypeOf(definition: EnumDefinition): EnumRef<SchemaTypes, string> {
  const existing = enumTypes.get(definition);
  if (existing) return existing;
  const { name, description, values } = definition;
  const described = Object.entries(values).map(([value, text]) => [value, { value, description: text }]);
  const type = builder.enumType(name, { description, values: Object.fromEntries(described) });
  enumTypes.set(definition, type);
  return type;
}
