import { getArgumentValues, Kind, type ValueNode } from 'graphql';
import type { NormalField } from './normal-form.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of fields without variables: the same each time. */
const constant = new WeakMap<NormalField, Arguments>();

/**
 * The arguments of a field, coerced (GraphQL specification, "CoerceArgumentValues").
 *
 * @param variables coerced.
 * @throws {GraphQLError} for a value that does not fit.
 */
export function argumentsOf(field: NormalField, variables: Arguments): Arguments {
  const known = constant.get(field);
  if (known) return known;
  const [node] = field.nodes;
  if (!node) return {};
  const values = getArgumentValues(field.definition, node, variables);
  if (!node.arguments?.some(({ value }) => hasVariable(value))) constant.set(field, Object.freeze(values));
  return values;
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
  return value.kind === Kind.VARIABLE;
}
