import {
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import type { RequestArguments } from '../operation/arguments.ts';
import { extensionsOf } from '../operation/field-extensions.ts';
import { isTypeName, type NormalField, type NormalOperation, type Selection } from '../operation/normal-form.ts';
import { cacheKeyOf, introspectionCache } from './introspection-cache.ts';
import { serializeLeaf } from './leaf-value.ts';
import { RawJson } from './raw-json.ts';

/** Whether a field is `__schema`, `__type` or the `_service` of a subgraph. */
export function isIntrospection({ definition }: NormalField): boolean {
  const isMetaField = definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef;
  return isMetaField || extensionsOf(definition).dependsOnSchemaOnly === true;
}

/** Whether an operation selects introspection only: its data depends on the schema alone. */
export function isIntrospectionOnly({ selection: { fields } }: NormalOperation): boolean {
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
  const cache = introspectionCache(schema, args);
  const cached = cache?.get(cacheKeyOf(field));
  if (cached) return cached;
  let text: string;
  try {
    text = new Serializer(schema, args).field(field, undefined);
  } catch {
    return undefined;
  }
  if (text === 'null') return undefined;
  const json = new RawJson(text);
  cache?.set(cacheKeyOf(field), json);
  return json;
}

/** Results for selections of objects, such as types, fields and arguments. Each is computed once. */
export class SelectionResults<Result extends {}> {
  private readonly results = new Map<Selection, Map<unknown, Result>>();

  get(selection: Selection, object: unknown, compute: () => Result): Result {
    const ofSelection = this.results.get(selection) ?? new Map<unknown, Result>();
    this.results.set(selection, ofSelection);
    const known = ofSelection.get(object);
    if (known !== undefined) return known;
    const result = compute();
    ofSelection.set(object, result);
    return result;
  }
}

/** Serializes the results of introspection. Methods throw if the result has an error. */
class Serializer {
  private readonly objects = new SelectionResults<string>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly args: RequestArguments,
  ) {}

  field(field: NormalField, source: unknown): string {
    const value = resolveIntrospection(field, source, this.schema, this.args);
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
    return this.objects.get(selection, value, () => {
      const fields = selection.fields.map((field) => `"${field.responseName}":${this.field(field, value)}`);
      return `{${fields.join(',')}}`;
    });
  }
}

/**
 * The value of a field of introspection.
 *
 * @throws {GraphQLError} for an invalid argument.
 */
export function resolveIntrospection(
  field: NormalField,
  source: unknown,
  schema: GraphQLSchema,
  args: RequestArguments,
): unknown {
  const info = { schema, parentType: field.parentType } as unknown as GraphQLResolveInfo;
  return field.definition.resolve?.(source, args.of(field), undefined, info);
}
