import { getArgumentValues, Kind, type ValueNode } from 'graphql';
import type { NormalField } from './normal-form.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of fields without variables. They are the same in every request. */
const constantArguments = new WeakMap<NormalField, Arguments>();

/** The arguments of the fields of one request, coerced once per field (GraphQL specification, "CoerceArgumentValues"). */
export class RequestArguments {
  private readonly coerced = new Map<NormalField, Arguments>();
  private readonly errors = new Map<NormalField, unknown>();

  /** @param variables the coerced variable values. */
  constructor(readonly variables: Arguments) {}

  /**
   * The coerced arguments of a field.
   *
   * @throws {GraphQLError} for an invalid value; the same error each time.
   */
  of(field: NormalField): Arguments {
    const cached = constantArguments.get(field) ?? this.coerced.get(field);
    if (cached) return cached;
    if (this.errors.has(field)) throw this.errors.get(field);
    const [node] = field.nodes;
    try {
      const values = Object.freeze(getArgumentValues(field.definition, node, this.variables));
      const cache = node.arguments?.some(({ value }) => hasVariable(value)) ? this.coerced : constantArguments;
      cache.set(field, values);
      return values;
    } catch (error) {
      this.errors.set(field, error);
      throw error;
    }
  }
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
  return value.kind === Kind.VARIABLE;
}
