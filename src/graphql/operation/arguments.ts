import { getArgumentValues } from 'graphql';
import type { Counterpart } from '../data/field-extensions.ts';
import type { NormalField, Values } from '../document/normal-form.ts';

/**
 * The arguments of a field (GraphQL specification, "CoerceArgumentValues"); undefined if they are invalid, so that the
 * field only returns an error.
 *
 * @param variables the coerced variable values.
 */
export function argumentsOf({ definition, nodes: [node] }: NormalField, variables: Values): Values | undefined {
  return undefinedIfInvalid(() => getArgumentValues(definition, node, variables));
}

/**
 * The input of the operation that returns the same data as a field, not validated; undefined if the arguments cannot be
 * converted, so that the field only returns an error.
 *
 * @param parentId see {@link Counterpart.toInput}.
 */
export function inputOf(counterpart: Counterpart, args: Values, parentId?: string): Values | undefined {
  return undefinedIfInvalid(() => counterpart.toInput(args, parentId));
}

function undefinedIfInvalid(values: () => Values): Values | undefined {
  try {
    return values();
  } catch {
    return undefined;
  }
}
