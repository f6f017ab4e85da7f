import type { FieldMap, ObjectFieldBuilder } from '@pothos/core';
import type { Entity } from '../../domain/entity.ts';
import type { EnumDefinition, Field, FieldsByName, ObjectDefinition } from '../../domain/field.ts';
import { embeddedList } from '../execution/field-extensions.ts';
import { camelCase } from '../execution/naming.ts';
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

/** Calls a function once per definition. */
function once<Definition extends object, Type>(
  create: (definition: Definition) => Type,
): (definition: Definition) => Type {
  const types = new Map<Definition, Type>();
  return (definition) => {
    const type = types.get(definition) ?? create(definition);
    types.set(definition, type);
    return type;
  };
}

const objectTypeOf = once(({ name, description, fields }: ObjectDefinition) =>
  builder.objectRef<object>(name).implement({ description, fields: (t) => exposeFields(t, fields, (key) => key) }),
);

const enumTypeOf = once(({ name, description, values }: EnumDefinition) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(Object.entries(values).map(([value, text]) => [value, { value, description: text }])),
  }),
);
