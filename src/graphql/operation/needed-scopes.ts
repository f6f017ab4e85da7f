import { getNamedType, isAbstractType } from 'graphql';
import type { OperationCall } from '../../domain/core/operation.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import { extensionsOf, inputOf } from '../data/field-extensions.ts';
import {
  argumentsOf,
  isMetaField,
  type NormalField,
  type NormalOperation,
  type Selection,
  type Values,
} from '../document/normal-form.ts';
import { scopesOfType } from '../schema/node.ts';

/**
 * Returns the scopes that the fields of an operation declare, and those of them that the key lacks, in alphabetical order.
 * Where one of several is enough: those that the key has, or all of them if it has none.
 *
 * @param granted the scopes of the key.
 */
export function neededScopes({ selection }: NormalOperation, variables: Values, granted: ReadonlySet<Scope>) {
  const needed = new Set<Scope>();
  /** @param parentTypes the types of the records below, if a field above determines them, as for changes. */
  const visit = ({ fields }: Selection, parentTypes: readonly string[] | undefined) => {
    for (const field of fields) {
      const values = isMetaField(field) ? undefined : argumentsOf(field, variables);
      if (!values) continue;
      const types = typesOf(field, values, granted) ?? parentTypes;
      for (const scope of scopesOf(field, values, types, granted)) needed.add(scope);
      const isAbstract = isAbstractType(getNamedType(field.definition.type));
      for (const possible of field.selections) {
        if (!isAbstract || !types || types.includes(possible.type.name))
          visit(possible, isAbstract ? undefined : types);
      }
    }
  };
  visit(selection, undefined);
  const sorted = [...needed].sort();
  return { needed: sorted, missing: sorted.filter((scope) => !granted.has(scope)) };
}

/** The types of the records of a field, if its arguments or the scopes determine them; see `nodeTypes`. */
function typesOf(field: NormalField, values: Values, granted: ReadonlySet<Scope>): readonly string[] | undefined {
  try {
    return extensionsOf(field.definition)
      .nodeTypes?.(values, granted)
      .filter((type) => type !== undefined);
  } catch {
    // Invalid arguments: nothing is read.
    return [];
  }
}

function scopesOf(
  field: NormalField,
  values: Values,
  types: readonly string[] | undefined,
  granted: ReadonlySet<Scope>,
): readonly Scope[] {
  const { scopes, counterpart, nodeTypes } = extensionsOf(field.definition);
  if (scopes) return heldOrAll(scopes, granted);
  if (counterpart) return scopesOfOperation(counterpart.operation, inputOf(counterpart, values), granted);
  return nodeTypes && types ? types.flatMap(scopesOfType) : [];
}

function scopesOfOperation(
  { scopes, scopesOfInput }: OperationCall['operation'],
  input: unknown,
  granted: ReadonlySet<Scope>,
): readonly Scope[] {
  const ofInput = scopesOfInput(input).map(({ scope }) => scope);
  return scopes.some((scope) => ofInput.includes(scope)) ? ofInput : [...ofInput, ...heldOrAll(scopes, granted)];
}

/** Of scopes of which one is enough: those that the key has, or all of them if it has none. */
function heldOrAll(scopes: readonly Scope[], granted: ReadonlySet<Scope>): readonly Scope[] {
  const held = scopes.filter((scope) => granted.has(scope));
  return held.length > 0 ? held : scopes;
}
