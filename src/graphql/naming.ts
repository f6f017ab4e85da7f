/** The camelCase form of a snake_case name: `firstName` for `first_name`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A domain record with its keys in camelCase; the keys of nested objects are unchanged. */
export type InCamelCase<Node> = {
  readonly [Field in keyof Node & string as CamelCase<Field>]: Node[Field];
};

/** Converts a domain name (`first_name`) to its GraphQL name (`firstName`). */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts a GraphQL name (`firstName`) to its domain name (`first_name`). */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts the keys of a domain record to camelCase. */
export function toCamelCase<Node extends object>(record: Node): InCamelCase<Node> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [camelCase(name), value]),
  ) as InCamelCase<Node>;
}

/** Converts the keys of a coerced GraphQL input object to snake_case. */
export function toSnakeCase(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [snakeCase(name), value]));
}
