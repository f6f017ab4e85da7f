import { type GraphQLSchema, getIntrospectionQuery, type OperationDefinitionNode, parse } from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import { RequestArguments } from '../operation/arguments.ts';
import { queryTooComplex } from '../operation/limits.ts';
import type { NormalField, Selection } from '../operation/normal-form.ts';
import { PreparedDocument } from '../operation/prepared-document.ts';
import { isIntrospection, resolveIntrospection, SelectionResults } from './introspection.ts';
import { cacheKeyOf, introspectionCache } from './introspection-cache.ts';

/** Added to the size for each value, because the executor has to complete it. */
const CHARACTERS_PER_VALUE = 20;

/** The maximum size of introspection, relative to the standard query, of which tools send different variants. */
const MAX_RELATIVE_SIZE = 1.5;

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
  const isChecked = field && others.length === 0 && introspectionCache(schema, args)?.has(cacheKeyOf(field));
  if (field && !isChecked) introspectionSize({ ...selection, fields }, schema, args, maxSizeOf(schema));
}

/** The maximum size of introspection. It is computed from the schema, so that it grows with the schema. */
const maxSizeOf = memoize((schema: GraphQLSchema): number => {
  const query = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
  const document = new PreparedDocument(schema, parse(query), { cachesNormalForms: false });
  const { selection } = document.normalForm(document.operation(undefined) as OperationDefinitionNode, {});
  const standard = introspectionSize(selection, schema, new RequestArguments({}), Number.POSITIVE_INFINITY);
  return Math.ceil(standard * MAX_RELATIVE_SIZE);
});

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
  return new SizeMeasurement(schema, args, max).selection(selection, undefined);
}

class SizeMeasurement {
  private readonly sizes = new SelectionResults<number>();
  /**
   * The sum of the sizes that were computed. Each of them is part of the result at least once, so the computation takes
   * no longer than a result of the maximum size.
   */
  private computed = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly args: RequestArguments,
    private readonly max: number,
  ) {}

  selection({ fields }: Selection, source: unknown): number {
    let size = 0;
    for (const field of fields) {
      const value = this.resolve(field, source);
      size = this.limited(size + this.compute(field.responseName.length) + this.value(field, value));
    }
    return size;
  }

  private value(field: NormalField, value: unknown): number {
    if (Array.isArray(value)) {
      return value.reduce<number>((size, item) => this.limited(size + this.value(field, item)), CHARACTERS_PER_VALUE);
    }
    const [subselection] = field.selections;
    if (!subselection || value == null) return this.compute(CHARACTERS_PER_VALUE + String(value).length);
    return this.sizes.get(
      subselection,
      value,
      () => this.compute(CHARACTERS_PER_VALUE) + this.selection(subselection, value),
    );
  }

  /** The value of a field; undefined if its arguments are invalid, which the executor reports. */
  private resolve(field: NormalField, source: unknown): unknown {
    try {
      return resolveIntrospection(field, source, this.schema, this.args);
    } catch {
      return undefined;
    }
  }

  private compute(size: number): number {
    this.computed = this.limited(this.computed + size);
    return size;
  }

  private limited(size: number): number {
    if (size <= this.max) return size;
    throw queryTooComplex(
      `The introspection result exceeds the maximum size of ${this.max}; select each field once, without aliases`,
    );
  }
}
