import {
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getIntrospectionQuery,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { RequestArguments } from './arguments.ts';
import { queryTooComplex } from './limits.ts';
import { type NormalField, normalize, type Selection } from './normal-form.ts';
import { RawJson, stringify } from './raw-json.ts';

/** What each value counts beyond its text, because the executor completes it. */
const CHARACTERS_PER_VALUE = 20;

/** How much larger introspection may be than the standard query, which tools send in different variants. */
const STANDARD_MULTIPLE = 1.5;

/** Results of introspection, which depend on nothing but the schema and the selection. */
const results = new LRUCache<NormalField, RawJson>({
  max: 100,
  maxSize: 2_000_000,
  sizeCalculation: ({ text }) => text.length,
});

/** Whether a field is `__schema` or `__type`. */
export function isIntrospection({ definition }: NormalField): boolean {
  return definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef;
}

/** The cached result of an introspection field; undefined if there are variables, which it may depend on. */
export function cachedIntrospection(field: NormalField, { variables }: RequestArguments): RawJson | undefined {
  return Object.keys(variables).length === 0 ? results.get(field) : undefined;
}

/** Caches the result of an introspection field, unless it depends on variables. */
export function cacheIntrospection(field: NormalField, value: object, args: RequestArguments): RawJson {
  const json = new RawJson(stringify(value));
  if (Object.keys(args.variables).length === 0) results.set(field, json);
  return json;
}

/** Whether a selection has introspection that is not cached. */
export function needsIntrospection({ fields }: Selection, args: RequestArguments): boolean {
  return fields.some((field) => isIntrospection(field) && !cachedIntrospection(field, args));
}

/**
 * Rejects an operation whose introspection would write much more than the standard introspection query does.
 *
 * @throws {ServiceError} `query_too_complex`.
 */
export function rejectLargeIntrospection(selection: Selection, schema: GraphQLSchema, args: RequestArguments): void {
  const fields = selection.fields.filter((field) => isIntrospection(field) && !cachedIntrospection(field, args));
  if (fields.length > 0) introspectionSize({ ...selection, fields }, schema, args, maxSizeOf(schema));
}

const maxSizes = new WeakMap<GraphQLSchema, number>();

/** Computed from the schema, so that it grows with it. */
function maxSizeOf(schema: GraphQLSchema): number {
  let max = maxSizes.get(schema);
  if (max === undefined) {
    const query = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    const document = parse(query);
    const fragments = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === 'FragmentDefinition' ? [[definition.name.value, definition]] : [],
      ),
    );
    const operation = getOperationAST(document) as OperationDefinitionNode;
    const { selection } = normalize({ schema, operation, fragments }, {});
    const standard = introspectionSize(selection, schema, new RequestArguments({}), Number.POSITIVE_INFINITY);
    max = Math.ceil(standard * STANDARD_MULTIPLE);
    maxSizes.set(schema, max);
  }
  return max;
}

/**
 * The size of the result of introspection: its characters, and {@link CHARACTERS_PER_VALUE} for each value. It is
 * computed with the resolvers of introspection, but only once for each selection and type, field or argument, however
 * often the result contains them.
 *
 * @throws {ServiceError} `query_too_complex` beyond `max`.
 */
export function introspectionSize(
  selection: Selection,
  schema: GraphQLSchema,
  args: RequestArguments,
  max: number,
): number {
  const sizes = new Map<Selection, Map<unknown, number>>();
  // What is computed occurs in the result at least once: so this takes no longer than a result of the maximum size.
  let computed = 0;
  const limited = (size: number): number => {
    if (size <= max) return size;
    throw queryTooComplex(
      `The introspection result exceeds the maximum size of ${max}; select each field once, without aliases`,
    );
  };
  const compute = (size: number): number => {
    computed = limited(computed + size);
    return size;
  };
  const sizeOfSelection = ({ fields }: Selection, source: unknown): number => {
    let size = 0;
    for (const field of fields) {
      const value = resolve(field, source, schema, args);
      size = limited(size + compute(field.responseName.length) + sizeOfValue(field, value));
    }
    return size;
  };
  const sizeOfValue = (field: NormalField, value: unknown): number => {
    if (Array.isArray(value)) {
      return value.reduce<number>((size, item) => limited(size + sizeOfValue(field, item)), CHARACTERS_PER_VALUE);
    }
    const [subselection] = field.selections;
    if (!subselection || value == null) return compute(CHARACTERS_PER_VALUE + String(value).length);
    let known = sizes.get(subselection);
    if (!known) {
      known = new Map();
      sizes.set(subselection, known);
    }
    let size = known.get(value);
    if (size === undefined) {
      size = compute(CHARACTERS_PER_VALUE) + sizeOfSelection(subselection, value);
      known.set(value, size);
    }
    return size;
  };
  return sizeOfSelection(selection, undefined);
}

/** The value of a field of introspection; undefined if its arguments are invalid, which its execution reports. */
function resolve(field: NormalField, source: unknown, schema: GraphQLSchema, args: RequestArguments): unknown {
  const info = { schema, parentType: field.parentType } as unknown as GraphQLResolveInfo;
  try {
    return field.definition.resolve?.(source, args.of(field), undefined, info);
  } catch {
    return undefined;
  }
}
