import {
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getIntrospectionQuery,
  getOperationAST,
  isLeafType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { RequestArguments } from '../operation/arguments.ts';
import { extensionsOf } from '../operation/field-extensions.ts';
import { queryTooComplex } from '../operation/limits.ts';
import { type NormalField, type NormalOperation, normalize, type Selection } from '../operation/normal-form.ts';
import { cachedIntrospection, cacheIntrospection } from './introspection-cache.ts';
import { serializeLeaf } from './leaf-value.ts';
import { RawJson } from './raw-json.ts';

/** Added to the size for each value, because the executor has to complete it. */
const CHARACTERS_PER_VALUE = 20;

/** The maximum size of introspection, relative to the standard query, of which tools send different variants. */
const MAX_RELATIVE_SIZE = 1.5;

/** Whether a field is `__schema`, `__type` or the `_service` of a subgraph. */
export function isIntrospection({ definition }: NormalField): boolean {
  const isMetaField = definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef;
  return isMetaField || extensionsOf(definition).dependsOnSchemaOnly === true;
}

/** Whether an operation selects introspection only: its data depends on the schema alone. */
export function isIntrospectionOnly({ selection: { fields } }: NormalOperation): boolean {
  const isTypeName = ({ definition }: NormalField) => definition === TypeNameMetaFieldDef;
  return fields.some(isIntrospection) && fields.every((field) => isIntrospection(field) || isTypeName(field));
}

/**
 * Returns the result of an introspection field as JSON. Each selection of a type, field or argument is serialized once,
 * even if the result contains it many times. Executing the standard query takes several times longer.
 *
 * @returns undefined if the result is null or has errors, which the executor reports.
 */
export function introspectionJson(
  field: NormalField,
  schema: GraphQLSchema,
  args: RequestArguments,
): RawJson | undefined {
  const cached = cachedIntrospection(field, schema, args);
  if (cached) return cached;
  let text: string;
  try {
    text = new Serializer(schema, args).field(field, undefined);
  } catch {
    return undefined;
  }
  if (text === 'null') return undefined;
  const json = new RawJson(text);
  cacheIntrospection(field, schema, args, json);
  return json;
}

/** Serializes the results of introspection. Methods throw if the result has an error. */
class Serializer {
  /** The serialized objects, by selection and value. */
  private readonly objects = new Map<Selection, Map<unknown, string>>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly args: RequestArguments,
  ) {}

  field(field: NormalField, source: unknown): string {
    const value = resolve(field, source, this.schema, this.args);
    return this.value(field, field.definition.type, value);
  }

  private value(field: NormalField, type: GraphQLOutputType, value: unknown): string {
    if (isNonNullType(type)) {
      const text = this.value(field, type.ofType, value);
      if (text === 'null') throw new Error('A non-nullable field is null');
      return text;
    }
    if (value == null) return 'null';
    if (isListType(type)) {
      return `[${(value as unknown[]).map((item) => this.value(field, type.ofType, item)).join(',')}]`;
    }
    if (isLeafType(type)) return JSON.stringify(serializeLeaf(type, value));
    return this.object(field.selections[0] as Selection, value);
  }

  private object(selection: Selection, value: unknown): string {
    if (selection.error) throw selection.error;
    let cached = this.objects.get(selection);
    if (!cached) {
      cached = new Map();
      this.objects.set(selection, cached);
    }
    let text = cached.get(value);
    if (text === undefined) {
      text = `{${selection.fields.map((field) => `"${field.responseName}":${this.field(field, value)}`).join(',')}}`;
      cached.set(value, text);
    }
    return text;
  }
}

/**
 * Rejects an operation whose introspection would return much more than the standard introspection query.
 *
 * @param selection the root fields of the operation.
 * @throws {ServiceError} `query_too_complex`.
 */
export function rejectLargeIntrospection(selection: Selection, schema: GraphQLSchema, args: RequestArguments): void {
  const fields = selection.fields.filter(isIntrospection);
  const [field, ...others] = fields;
  // The size of a cached result was checked, but not that of several together.
  const isChecked = field && others.length === 0 && cachedIntrospection(field, schema, args);
  if (field && !isChecked) introspectionSize({ ...selection, fields }, schema, args, maxSizeOf(schema));
}

const maxSizes = new WeakMap<GraphQLSchema, number>();

/** The maximum size of introspection. It is computed from the schema, so that it grows with the schema. */
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
    max = Math.ceil(standard * MAX_RELATIVE_SIZE);
    maxSizes.set(schema, max);
  }
  return max;
}

/**
 * Returns the size of the result of introspection: its characters, plus {@link CHARACTERS_PER_VALUE} for each value. It
 * is computed with the resolvers of introspection, but only once for each selection of a type, field or argument, even
 * if the result contains it many times.
 *
 * @throws {ServiceError} `query_too_complex` if it exceeds `max`.
 */
export function introspectionSize(
  selection: Selection,
  schema: GraphQLSchema,
  args: RequestArguments,
  max: number,
): number {
  const sizes = new Map<Selection, Map<unknown, number>>();
  // Every size that is computed is part of the result at least once, so this takes no longer than a result of the
  // maximum size.
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
      const value = resolveOrIgnore(field, source, schema, args);
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
    let cached = sizes.get(subselection);
    if (!cached) {
      cached = new Map();
      sizes.set(subselection, cached);
    }
    let size = cached.get(value);
    if (size === undefined) {
      size = compute(CHARACTERS_PER_VALUE) + sizeOfSelection(subselection, value);
      cached.set(value, size);
    }
    return size;
  };
  return sizeOfSelection(selection, undefined);
}

/** @throws {GraphQLError} for an invalid argument. */
function resolve(field: NormalField, source: unknown, schema: GraphQLSchema, args: RequestArguments): unknown {
  const info = { schema, parentType: field.parentType } as unknown as GraphQLResolveInfo;
  return field.definition.resolve?.(source, args.of(field), undefined, info);
}

/** The value of a field; undefined if its arguments are invalid, which the executor reports. */
function resolveOrIgnore(...field: Parameters<typeof resolve>): unknown {
  try {
    return resolve(...field);
  } catch {
    return undefined;
  }
}
