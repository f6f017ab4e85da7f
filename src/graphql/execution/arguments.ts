import { getArgumentValues, Kind, type ValueNode } from 'graphql';
import type { NormalField } from './normal-form.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of fields without variables: the same each time. */
const constant = new WeakMap<NormalField, Arguments>();

/**
 * The arguments of fields for one request, coerced once (GraphQL specification, "CoerceArgumentValues").
 */
export class RequestArguments {
  private readonly known = new Map<NormalField, Arguments>();
  private readonly refused = new Map<NormalField, unknown>();

  /** @param variables coerced. */
  constructor(readonly variables: Arguments) {}

  /** @throws {GraphQLError} for a value that does not fit. */
  of(field: NormalField): Arguments {
    const known = constant.get(field) ?? this.known.get(field);
    if (known) return known;
    const [node] = field.nodes;
    if (!node) return {};
    if (this.refused.has(field)) throw this.refused.get(field);
    try {
      const values = Object.freeze(getArgumentValues(field.definition, node, this.variables));
      if (node.arguments?.some(({ value }) => hasVariable(value))) this.known.set(field, values);
      else constant.set(field, values);
      return values;
    } catch (error) {
      this.refused.set(field, error);
      throw error;
    }
  }
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
  return value.kind === Kind.VARIABLE;
}
