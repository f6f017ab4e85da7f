/** A valid input of an operation, by its field names. */
export type Input = Readonly<Record<string, unknown>>;

/** The parts of a request that hold the input of an operation. */
export interface SerializedInput {
  /** By the names of path parameters. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** By the names of query parameters; undefined and null are absent. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Returns the values of path parameters by name.
 *
 * @param parameters the path parameters by input field.
 */
export function serializePath(
  input: Input,
  parameters: Readonly<Record<string, { readonly name: string }>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).map(([field, { name }]) => [name, input[field]]));
}

/** Returns a path template with its parameters replaced by percent-encoded values: `/tags/{id}` becomes `/tags/tag_1`. */
export function expandPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** Returns an order as a query parameter: `name` is ascending, `-name` descending. */
export function serializeOrder(order: unknown): string | undefined {
  if (!order) return undefined;
  const { field, direction } = order as { field: string; direction?: string };
  return direction === 'desc' ? `-${field}` : field;
}

/** Returns page arguments as query parameters; undefined for a page from the end of a list, which REST does not support. */
export function serializePage({ first, after, last, before }: Input): Record<string, unknown> | undefined {
  return last == null && before == null ? { limit: first, cursor: after } : undefined;
}
