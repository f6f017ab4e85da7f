import type { FieldMap, ObjectFieldBuilder, ObjectRef } from '@pothos/core';
import type { Entity } from '../../domain/entity.ts';
import type { ListOperation } from '../../domain/list.ts';
import type { InCamelCase } from '../execution/naming.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { addRootList } from './connection.ts';
import { entityFields } from './entity-fields.ts';

const types = new Map<string, unknown>();

/** The object type of an entity. Types of different files refer to one another by it. */
function typeOf<Node>({ name }: Entity<Node>): ObjectRef<SchemaTypes, InCamelCase<Node>> {
  const type = types.get(name) ?? builder.objectRef<InCamelCase<Node>>(name);
  types.set(name, type);
  return type as ObjectRef<SchemaTypes, InCamelCase<Node>>;
}

/**
 * Adds the object type of an entity.
 *
 * @param fields the fields that resolve to something else than a column; one named like a column replaces it.
 */
export function addType<Node>(
  entity: Entity<Node>,
  fields?: (t: ObjectFieldBuilder<SchemaTypes, InCamelCase<Node>>) => FieldMap,
): void {
  builder.objectType(typeOf(entity), {
    description: entity.description,
    interfaces: [builder.nodeInterfaceRef()],
    fields: (t) => ({ ...entityFields(t, entity), ...fields?.(t) }),
  });
}

/**
 * Adds the root field that lists the records of an entity.
 *
 * @param descriptions of the field and of its argument `search`, where they are not those of all lists.
 * @returns the connection type, for nested lists of the same records.
 */
export function addList<Node>(
  entity: Entity<Node>,
  list: ListOperation<Node>,
  descriptions: { readonly list?: string; readonly search?: string } = {},
) {
  const { plural, scope, fields } = entity;
  const many = plural.replaceAll('_', ' ');
  const searched = Object.entries(fields).flatMap(([name, { searchable }]) => (searchable ? name : []));
  return addRootList(typeOf(entity), {
    name: plural,
    one: singular(entity),
    many,
    list,
    description: `${descriptions.list ?? `The ${many} of the organization.`} Scope: \`${scope}\`.`,
    search:
      descriptions.search ?? `Returns only ${many} whose ${searched.join(' or ')} contains every word of this text.`,
  });
}

/** `A form response` for `FormResponse`. */
function singular({ name }: Entity): string {
  const words = name.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  return `${/^[aeiou]/.test(words) ? 'An' : 'A'} ${words}`;
}
