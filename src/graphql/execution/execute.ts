import {
  type ExecutionResult,
  type GraphQLAbstractType,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
  responsePathAsArray,
} from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import type { RequestArguments } from './arguments.ts';
import { FieldError, type PathKeys } from './field-error.ts';
import { cachedIntrospection, cacheIntrospection, isIntrospection } from './introspection.ts';
import { estimateCharacters, serializeLeaf } from './leaf-value.ts';
import { OPERATION_LIMITS, queryTooComplex } from './limits.ts';
import { isPromise, type MaybePromise, whenResolved } from './maybe-promise.ts';
import type { NormalField, NormalOperation, Selection } from './normal-form.ts';
import { type RawJsonExecution, RawRecords } from './raw-json.ts';
import { ResolveInfo } from './resolve-info.ts';

type Data = Record<string, unknown>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;
type Path = NonNullable<GraphQLResolveInfo['path']>;

/** The result of an operation. */
export interface ExecutedOperation extends ExecutionResult {
  /** The number of errors that are not listed in `errors`. */
  readonly moreErrors?: number;
}

/** Maximum number of errors listed in a result. */
const MAX_ERRORS = 100;

/** What an operation is executed with. */
export interface ExecutionOptions {
  readonly schema: GraphQLSchema;
  readonly contextValue: unknown;
  readonly arguments: RequestArguments;
  /** After `reason` is set, no further field is resolved. */
  readonly abort: Abort;
}

/**
 * Executes an operation (GraphQL specification, "Execution"): its response is what graphql-js's `execute` returns for
 * the document, with the same order of keys and the same error paths. Records that PostgreSQL serialized are inserted
 * as raw JSON.
 *
 * @returns data and located errors.
 * @throws {ServiceError} `query_too_complex` for a response that is too large; otherwise `abort.reason`.
 */
export async function execute(operation: NormalOperation, options: ExecutionOptions): Promise<ExecutedOperation> {
  const execution = new Execution(operation, options);
  try {
    const data = await execution.executeOperation();
    execution.throwIfAborted();
    const { errors, moreErrors } = execution;
    return errors.length > 0 ? { errors, moreErrors, data } : { data };
  } catch (error) {
    execution.throwIfAborted();
    execution.errors.push(error as GraphQLError);
    return { errors: execution.errors, data: null };
  }
}

/** Methods are named after the functions of graphql-js to which they correspond. */
class Execution implements RawJsonExecution {
  readonly errors: GraphQLError[] = [];
  readonly contextValue: unknown;
  moreErrors = 0;
  private characters = 0;
  private completedValues = 0;

  constructor(
    private readonly operation: NormalOperation,
    private readonly options: ExecutionOptions,
  ) {
    this.contextValue = options.contextValue;
  }

  executeOperation(): MaybePromise<Data> {
    const { type, selection } = this.operation;
    return type === OperationTypeNode.MUTATION
      ? this.executeFieldsSerially(selection)
      : this.executeFields(selection, undefined, undefined);
  }

  throwIfAborted(): void {
    if (this.options.abort.reason) throw this.options.abort.reason;
  }

  addCharacters(count: number): void {
    this.characters += count;
    if (this.characters > OPERATION_LIMITS.responseCharacters) {
      this.abort(
        `The response is larger than ${OPERATION_LIMITS.responseCharacters} characters; request fewer records or fields`,
      );
    }
    this.throwIfAborted();
  }

  private addCompletedValues(count: number): void {
    this.completedValues += count;
    if (this.completedValues > OPERATION_LIMITS.completedValues) {
      this.abort(
        `The response has more than ${OPERATION_LIMITS.completedValues} values; request fewer records or fields`,
      );
    }
    this.throwIfAborted();
  }

  private abort(message: string): void {
    this.options.abort.abort(queryTooComplex(message));
  }

  addFieldError(error: unknown, field: NormalField, path: () => PathKeys): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push(locatedError(error, field, path));
    else this.moreErrors += 1;
  }

  private async executeFieldsSerially(selection: Selection): Promise<Data> {
    if (selection.error) throw selection.error;
    const data: Data = Object.create(null);
    for (const field of selection.fields) {
      const path = { prev: undefined, key: field.responseName, typename: selection.type.name };
      data[field.responseName] = await this.executeField(field, undefined, path);
    }
    return data;
  }

  private executeFields(selection: Selection, source: unknown, parentPath: Path | undefined): MaybePromise<Data> {
    if (selection.error) throw selection.error;
    this.addCompletedValues(selection.fields.length);
    const data: Data = Object.create(null);
    const pending: Promise<void>[] = [];
    try {
      for (const field of selection.fields) {
        const name = field.responseName;
        const value = this.executeField(field, source, { prev: parentPath, key: name, typename: selection.type.name });
        // Set the key now, so that keys have the order of the selection whichever value resolves first.
        data[name] = value;
        if (isPromise(value)) {
          pending.push(
            value.then((resolved) => {
              data[name] = resolved;
            }),
          );
        }
      }
    } catch (error) {
      // Other pending fields may reject too: handle their rejections before rethrowing this error.
      if (pending.length === 0) throw error;
      return Promise.all(pending).finally(() => {
        throw error;
      }) as never;
    }
    return pending.length === 0 ? data : Promise.all(pending).then(() => data);
  }

  private executeField(field: NormalField, source: unknown, path: Path): MaybePromise<unknown> {
    const cached = isIntrospection(field) ? cachedIntrospection(field, this.options.arguments) : undefined;
    if (cached) {
      this.addCharacters(cached.text.length);
      return cached;
    }
    const errors = this.errors.length;
    const value = this.completeOrHandleError(field, field.definition.type, path, () =>
      this.resolveField(field, source, path),
    );
    if (!isIntrospection(field) || value === null || this.errors.length > errors) return value;
    return cacheIntrospection(field, value as object, this.options.arguments);
  }

  private resolveField(field: NormalField, source: unknown, path: Path): unknown {
    this.addCharacters(field.responseName.length);
    const { resolve, name } = field.definition;
    const call = (resolver: Resolver) =>
      resolver(source, this.options.arguments.of(field), this.contextValue, this.buildResolveInfo(field, path));
    if (resolve) return call(resolve as Resolver);
    const property = (source as Readonly<Record<string, unknown>> | undefined)?.[name];
    return typeof property === 'function'
      ? call((_, args, context, info) => property.call(source, args, context, info))
      : property;
  }

  private buildResolveInfo(field: NormalField, path: Path): GraphQLResolveInfo {
    const { schema, arguments: args } = this.options;
    return new ResolveInfo(field, path, schema, args.variables, this.operation);
  }

  /** GraphQL specification, "Handling Field Errors": the closest nullable field or list item becomes null. */
  private completeOrHandleError(
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
      const completed = whenResolved(getValue(), (value) => this.completeValue(field, type, path, value));
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
    if (value instanceof RawRecords) return value.toRawJson(field, () => responsePathAsArray(path), this);
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
    if (Array.isArray(list)) this.addCompletedValues(list.length);
    const items = Array.from(list as Iterable<unknown>, (item, index) =>
      this.completeOrHandleError(field, itemType, { prev: path, key: index, typename: undefined }, () => item),
    );
    return items.some(isPromise) ? Promise.all(items) : items;
  }

  private completeAbstractValue(
    field: NormalField,
    type: GraphQLAbstractType,
    path: Path,
    value: unknown,
  ): MaybePromise<unknown> {
    const typeName = type.resolveType?.(value, this.contextValue, this.buildResolveInfo(field, path), type);
    return whenResolved(typeName, (name) => {
      const possible = this.options.schema.getType(name ?? '');
      if (isObjectType(possible) && this.options.schema.isSubType(type, possible)) {
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

/** A schema coordinate: `Member.firstName`. */
function coordinateOf({ parentType, definition }: NormalField): string {
  return `${parentType.name}.${definition.name}`;
}

/** Locates an error at a field. An error that propagates to parent fields keeps its original path. */
function locatedError(error: unknown, field: NormalField, path: () => PathKeys): GraphQLError {
  return error instanceof FieldError ? error : new FieldError(error, field, path());
}
