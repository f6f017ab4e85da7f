/** A name of the specification (`first_name`) as GraphQL writes it (`firstName`). */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A record of the domain under GraphQL's names. Objects inside keep theirs. */
export type InCamelCase<Node> = {
  readonly [Field in keyof Node & string as CamelCase<Field>]: Node[Field];
};

/** GraphQL's name for a name of the specification. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The specification's name for a name of GraphQL. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A record of the domain under GraphQL's names. */
export function toCamelCase<Node extends object>(record: Node): InCamelCase<Node> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [camelCase(name), value]),
  ) as InCamelCase<Node>;
}

/** The fields of a GraphQL input under the domain's names; only fields that the schema declares get here. */
export function toSnakeCase(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [snakeCase(name), value]));
}
