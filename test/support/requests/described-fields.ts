import type { Entity } from '../../../src/domain/definition/entity.ts';
import { type FieldsByName, shownFields } from '../../../src/domain/definition/field.ts';
import { camelCase } from '../../../src/graphql/naming.ts';

/** The GraphQL selection of all fields of an entity that both APIs have. */
export function selectionOf({ fields }: Pick<Entity, 'fields'>): string {
  return selectionOfFields(fields);
}

function selectionOfFields(fields: FieldsByName): string {
  return Object.entries(shownFields(fields))
    .map(([name, { object }]) => `${camelCase(name)}${object ? ` { ${selectionOfFields(object.fields)} }` : ''}`)
    .join(' ');
}
