import {
  type ExecutionResult,
  type GraphQLAbstractType,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
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
} from 'graphql';
import type { RequestArguments } from './arguments.ts';
import { FieldError, type ResponsePath } from './field-error.ts';
import { OPERATION_LIMITS, tooComplex } from './limits.ts';
import type { NormalField, NormalOperation, Selection } from './normal-form.ts';
import { type RawJsonHost, RawRecords } from './raw-json.ts';
import { ResolveInfo } from './resolve-info.ts';

type MaybePromise<Value> = Value | Promise<Value>;
type Data = Record<string, unknown>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;
type Path = NonNullable<GraphQLResolveInfo['path']>;

/** Whether and why an operation was aborted. Cheaper than an `AbortController` per request. */
export interface Abort {
  reason?: Error;
}

/** What an operation came to. */
export interface ExecutedOperation extends ExecutionResult {
  /** How many errors there are beyond those that are listed. */
  readonly moreErrors?: number;
}

/** How many errors of an operation are listed. */
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
 * Executes an operation (GraphQL specification, "Execution"): what graphql-js's `execute` answers for the document,
 * with the same order of keys and the same paths of errors. Lists and records that PostgreSQL writes in full are not
 * read, but passed on as raw JSON.
 *
 * @returns data and located errors.
 * @throws the reason for which the operation was given up: `query_too_complex` for a response that is too large, or what
 *   the caller set.
 */
export async function execute(operation: NormalOperation, options: ExecutionOptions): Promise<ExecutedOperation> {
  const execution = new Execution(operation, options);
  try {
    const data = await execution.run();
    execution.throwIfAborted();
    const { errors, moreErrors } = execution;
    return errors.length > 0 ? { errors, moreErrors, data } : { data };
  } catch (error) {
    execution.throwIfAborted();
    execution.errors.push(error as GraphQLError);
    return { errors: execution.errors, data: null };
  }
}

class Execution implements RawJsonHost {
  readonly errors: GraphQLError[] = [];
  readonly contextValue: unknown;
  moreErrors = 0;
  private characters = 0;

  constructor(
    private readonly operation: NormalOperation,
    private readonly options: ExecutionOptions,
  ) {
    this.contextValue = options.contextValue;
  }

  run(): MaybePromise<Data> {
    const { type, selection } = this.operation;
    return type === OperationTypeNode.MUTATION
      ? this.fieldsInSeries(selection)
      : this.fields(selection, undefined, undefined);
  }

  throwIfAborted(): void {
    if (this.options.abort.reason) throw this.options.abort.reason;
  }

  addCharacters(count: number): void {
    this.characters += count;
    if (this.characters > OPERATION_LIMITS.responseCharacters) {
      this.options.abort.reason ??= tooComplex(
        `The response is larger than ${OPERATION_LIMITS.responseCharacters} characters; ask for fewer records or fields`,
      );
    }
    this.throwIfAborted();
  }

  fail(field: NormalField, path: () => ResponsePath, error: unknown): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push(located(error, field, path));
    else this.moreErrors += 1;
  }

  private async fieldsInSeries(selection: Selection): Promise<Data> {
    if (selection.error) throw selection.error;
    const data: Data = Object.create(null);
    for (const field of selection.fields) {
      const path = { prev: undefined, key: field.responseName, typename: selection.type.name };
      data[field.responseName] = await this.field(field, undefined, path);
    }
    return data;
  }

  private fields(selection: Selection, source: unknown, parentPath: Path | undefined): MaybePromise<Data> {
    if (selection.error) throw selection.error;
    const data: Data = Object.create(null);
    const pending: Promise<void>[] = [];
    try {
      for (const field of selection.fields) {
        const name = field.responseName;
        const value = this.field(field, source, { prev: parentPath, key: name, typename: selection.type.name });
        // Set the key now, so that keys keep the order of the selection whichever value resolves first.
        data[name] = value;
        if (isPromise(value)) {
          pending.push(
            value.then((settled) => {
              data[name] = settled;
            }),
          );
        }
      }
    } catch (error) {
      // Other pending fields may reject too: their rejections are handled before this error is rethrown.
      if (pending.length === 0) throw error;
      return Promise.all(pending).finally(() => {
        throw error;
      }) as never;
    }
    return pending.length === 0 ? data : Promise.all(pending).then(() => data);
  }

  private field(field: NormalField, source: unknown, path: Path): MaybePromise<unknown> {
    const { type } = field.definition;
    try {
      this.throwIfAborted();
      const value = this.resolve(field, source, path);
      const completed = isPromise(value)
        ? value.then((settled) => this.complete(field, type, path, settled))
        : this.complete(field, type, path, value);
      return isPromise(completed) ? completed.catch((error) => this.handle(error, field, type, path)) : completed;
    } catch (error) {
      return this.handle(error, field, type, path);
    }
  }

  private resolve(field: NormalField, source: unknown, path: Path): unknown {
    const { resolve, name } = field.definition;
    const call = (resolver: Resolver) =>
      resolver(source, this.options.arguments.of(field), this.contextValue, this.infoOf(field, path));
    if (resolve) return call(resolve as Resolver);
    const property = (source as Readonly<Record<string, unknown>> | undefined)?.[name];
    return typeof property === 'function'
      ? call((_, args, context, info) => property.call(source, args, context, info))
      : property;
  }

  private infoOf(field: NormalField, path: Path): GraphQLResolveInfo {
    const { schema, arguments: args } = this.options;
    return new ResolveInfo(field, path, schema, args.variables, this.operation);
  }

  /** GraphQL specification, "CompleteValue". */
  private complete(field: NormalField, type: GraphQLOutputType, path: Path, value: unknown): MaybePromise<unknown> {
    if (value instanceof Error) throw value;
    if (isNonNullType(type)) {
      const completed = this.complete(field, type.ofType, path, value);
      if (completed !== null) return completed;
      throw new Error(`Cannot return null for non-nullable field ${nameOf(field)}`);
    }
    if (value == null) return null;
    if (value instanceof RawRecords) return value.toRawJson(field, () => pathOf(path), this);
    if (isListType(type)) return this.completeList(field, type.ofType, path, value);
    if (isLeafType(type)) return this.completeLeaf(field, type, value);
    return isAbstractType(type)
      ? this.completeAbstract(field, type, path, value)
      : this.completeObject(field, type, path, value);
  }

  private completeList(field: NormalField, type: GraphQLOutputType, path: Path, list: unknown): MaybePromise<unknown> {
    if (typeof list !== 'object' || list === null || !(Symbol.iterator in list)) {
      throw new Error(`Expected a list for field ${nameOf(field)}`);
    }
    const items = Array.from(list as Iterable<unknown>, (item, index) => {
      const itemPath = { prev: path, key: index, typename: undefined };
      try {
        const completed = isPromise(item)
          ? item.then((settled) => this.complete(field, type, itemPath, settled))
          : this.complete(field, type, itemPath, item);
        return isPromise(completed) ? completed.catch((error) => this.handle(error, field, type, itemPath)) : completed;
      } catch (error) {
        return this.handle(error, field, type, itemPath);
      }
    });
    return items.some(isPromise) ? Promise.all(items) : items;
  }

  private completeLeaf(field: NormalField, type: GraphQLLeafType, value: unknown): unknown {
    const serialized = serialize(type, value);
    this.addCharacters(field.responseName.length + charactersOf(serialized));
    return serialized;
  }

  private completeAbstract(
    field: NormalField,
    type: GraphQLAbstractType,
    path: Path,
    value: unknown,
  ): MaybePromise<unknown> {
    const resolved = type.resolveType?.(value, this.contextValue, this.infoOf(field, path), type);
    const completeAs = (name: string | undefined) => {
      const possible = this.options.schema.getType(name ?? '');
      if (isObjectType(possible) && this.options.schema.isSubType(type, possible)) {
        return this.completeObject(field, possible, path, value);
      }
      throw new Error(`${type.name} of field ${nameOf(field)} was resolved to ${name}, which is none of its types`);
    };
    return isPromise(resolved) ? resolved.then(completeAs) : completeAs(resolved as string | undefined);
  }

  private completeObject(
    field: NormalField,
    type: GraphQLObjectType,
    path: Path,
    value: unknown,
  ): MaybePromise<unknown> {
    const selection = field.selections.find((one) => one.type === type) as Selection;
    const matches = type.isTypeOf?.(value, this.contextValue, this.infoOf(field, path)) ?? true;
    const completeIf = (isOfType: boolean) => {
      if (isOfType) return this.fields(selection, value, path);
      throw new Error(`Expected a value of type ${type.name} for field ${nameOf(field)}`);
    };
    return isPromise(matches) ? matches.then(completeIf) : completeIf(matches);
  }

  /** GraphQL specification, "Handling Field Errors": the field is null, or what contains it where it may not be. */
  private handle(error: unknown, field: NormalField, type: GraphQLOutputType, path: Path): null {
    if (isNonNullType(type)) throw located(error, field, () => pathOf(path));
    this.fail(field, () => pathOf(path), error);
    return null;
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function nameOf({ parentType, definition }: NormalField): string {
  return `${parentType.name}.${definition.name}`;
}

function pathOf(path: Path): ResponsePath {
  const keys: (string | number)[] = [];
  for (let at: Path | undefined = path; at; at = at.prev) keys.push(at.key);
  return keys.reverse();
}

/** An error keeps the path of the field that failed while it passes to those that contain it. */
function located(error: unknown, field: NormalField, path: () => ResponsePath): GraphQLError {
  return error instanceof FieldError ? error : new FieldError(error, field, path());
}

/** What separates a value from the next: quotes, a colon and a comma. */
const PUNCTUATION = 6;

/** About how many characters of JSON a value has; exact enough for a limit. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + PUNCTUATION;
  if (typeof value !== 'object' || value === null) return PUNCTUATION;
  return JSON.stringify(value).length + PUNCTUATION;
}

/** A value that does not fit its type is a fault of the service; as a GraphQLError it would read as one of the request. */
function serialize(type: GraphQLLeafType, value: unknown): unknown {
  try {
    const serialized = type.serialize(value);
    if (serialized != null) return serialized;
  } catch (cause) {
    throw new Error(`${type.name} cannot be serialized`, { cause });
  }
  throw new Error(`${type.name} was serialized to nothing`);
}
