import {
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  responsePathAsArray,
} from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import type { NormalField, Selection } from '../operation/normal-form.ts';
import { coordinateOf, locatedError } from './field-error.ts';
import { estimateCharacters, serializeLeaf, serializeLeafList } from './leaf-value.ts';
import { isPromise, type MaybePromise, whenResolved } from './maybe-promise.ts';
import { RawJson, RawRecords, stringify } from './raw-json.ts';
import { type ExecutionMeter, ResponseState } from './response-state.ts';

/** The response path of a value. */
export type Path = NonNullable<GraphQLResolveInfo['path']>;

/** The fields of an object in the response, by response name. */
export type Data = Record<string, unknown>;

/**
 * Converts the values that resolvers return to the values of the response (GraphQL specification, "Value Completion").
 * Methods are named after the corresponding functions of graphql-js.
 */
export abstract class ValueCompletion extends ResponseState {
  constructor(
    private readonly schema: GraphQLSchema,
    readonly contextValue: unknown,
    abort: Abort,
    meter: ExecutionMeter | undefined,
  ) {
    super(abort, meter);
  }

  /** Executes the fields that are selected on an object. */
  protected abstract executeFields(selection: Selection, source: unknown, path: Path | undefined): MaybePromise<Data>;

  protected abstract buildResolveInfo(field: NormalField, path: Path): GraphQLResolveInfo;

  /** GraphQL specification, "Handling Field Errors": the closest nullable field or list item becomes null. */
  protected completeOrHandleError(
    field: NormalField,
    type: GraphQLOutputType,
    path: Path,
    getValue: () => unknown,
  ): MaybePromise<unknown> {
    const handle = (error: unknown) => {
      if (isNonNullType(type)) throw locatedError(error, field, () => responsePathAsArray(path));
      this.addFieldError(error, field, () => responsePathAsArray(path));
      return null;
    };
    try {
      const value = getValue();
      // In turns, because a loader resolves the promises of many objects at once.
      const completed = isPromise(value)
        ? value.then((resolved) => this.turns.run(() => this.completeValue(field, type, path, resolved)))
        : this.completeValue(field, type, path, value);
      return isPromise(completed) ? completed.catch(handle) : completed;
    } catch (error) {
      return handle(error);
    }
  }

  /** GraphQL specification, "CompleteValue". */
  private completeValue(
    field: NormalField,
    type: GraphQLOutputType,
    path: Path,
    value: unknown,
  ): MaybePromise<unknown> {
    if (value instanceof Error) throw value;
    if (isNonNullType(type)) {
      const completed = this.completeValue(field, type.ofType, path, value);
      if (completed !== null) return completed;
      throw new Error(`Cannot return null for non-nullable field ${coordinateOf(field)}`);
    }
    if (value == null) return null;
    if (value instanceof RawRecords) {
      return this.turns.run(() => value.toRawJson(field, () => responsePathAsArray(path), this));
    }
    if (isListType(type)) return this.completeListValue(field, type.ofType, path, value);
    if (isLeafType(type)) {
      const serialized = serializeLeaf(type, value);
      this.addCharacters(estimateCharacters(serialized));
      return serialized;
    }
    return isAbstractType(type)
      ? this.completeAbstractValue(field, type, path, value)
      : this.completeObjectValue(field, type, path, value);
  }

  private completeListValue(
    field: NormalField,
    itemType: GraphQLOutputType,
    path: Path,
    list: unknown,
  ): MaybePromise<unknown> {
    if (typeof list !== 'object' || list === null || !(Symbol.iterator in list)) {
      throw new Error(`Expected an iterable for field ${coordinateOf(field)}`);
    }
    const values = Array.isArray(list) ? list : [...(list as Iterable<unknown>)];
    const leafType = getNullableType(itemType);
    const serialized = isLeafType(leafType) ? serializeLeafList(leafType, values) : undefined;
    if (serialized) {
      this.addCharacters(serialized.reduce((sum: number, item) => sum + estimateCharacters(item), 0));
      return serialized;
    }
    this.addCompletedValues(values.length);
    const items = values.map((item, index) =>
      this.turns.run(() =>
        this.completeOrHandleError(field, itemType, { prev: path, key: index, typename: undefined }, () => item),
      ),
    );
    return items.some(isPromise)
      ? Promise.all(items).then((all) => this.turns.run(() => this.serializeIfLarge(all)))
      : this.serializeIfLarge(items);
  }

  /**
   * Serializes a list of a large response now, because serializing the whole response at the end would block the event
   * loop.
   */
  private serializeIfLarge(items: readonly unknown[]): readonly unknown[] | RawJson {
    if (!this.turns.hasSeveralTurns) return items;
    const json = stringify(items);
    this.turns.addCharacters(json.length);
    return new RawJson(json);
  }

  private completeAbstractValue(
    field: NormalField,
    type: GraphQLAbstractType,
    path: Path,
    value: unknown,
  ): MaybePromise<unknown> {
    const typeName = type.resolveType?.(value, this.contextValue, this.buildResolveInfo(field, path), type);
    return whenResolved(typeName, (name) => {
      const possible = this.schema.getType(name ?? '');
      if (isObjectType(possible) && this.schema.isSubType(type, possible)) {
        return this.completeObjectValue(field, possible, path, value);
      }
      throw new Error(
        `Field ${coordinateOf(field)} was resolved to ${name}, which is not a possible type of ${type.name}`,
      );
    });
  }

  private completeObjectValue(
    field: NormalField,
    type: GraphQLObjectType,
    path: Path,
    value: unknown,
  ): MaybePromise<unknown> {
    const selection = field.selections.find((one) => one.type === type) as Selection;
    const isOfType = type.isTypeOf?.(value, this.contextValue, this.buildResolveInfo(field, path)) ?? true;
    return whenResolved(isOfType, (matches) => {
      if (matches) return this.executeFields(selection, value, path);
      throw new Error(`Expected a value of type ${type.name} for field ${coordinateOf(field)}`);
    });
  }
}
