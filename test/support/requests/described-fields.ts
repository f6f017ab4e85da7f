import type { Entity } from '../../../src/domain/definition/entity.ts';
import type { Field, FieldsByName } from '../../../src/domain/definition/field.ts';
import { camelCase } from '../../../src/graphql/operation/naming.ts';

/** The GraphQL selection of all fields of an entity that both APIs have. */
export function selectionOf({ fields }: Pick<Entity, 'fields'>): string {
  return selectionOfFields(fields);
}

function selectionOfFields(fields: FieldsByName): string {
  const shown = Object.entries(fields).filter(([, { hidden }]) => !hidden);
  return shown
    .map(([name, { object }]) => `${camelCase(name)}${object ? ` { ${selectionOfFields(object.fields)} }` : ''}`)
    .join(' ');
}

const KINDS: Partial<Record<Field['type'], string>> = {
  timestamp: 'date-time',
  date: 'date',
  boolean: 'boolean',
  count: 'integer',
  integerId: 'integer',
  texts: 'array',
  ids: 'array',
  objects: 'array',
};

/** The kinds of values in a REST record with empty optional fields, by field; see `kindsOf`. */
export function emptyKindsOf({ fields }: Pick<Entity, 'fields'>): Record<string, string> {
  const shown = Object.entries(fields).filter(([, { hidden }]) => !hidden);
  return Object.fromEntries(
    shown.map(([name, { type, nullable }]) => [name, nullable ? 'null' : (KINDS[type] ?? 'string')]),
  );
}
