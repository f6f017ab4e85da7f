import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import type { RequestArguments } from '../operation/arguments.ts';
import { isTypeName, type NormalField, type NormalOperation, type Selection } from '../operation/normal-form.ts';
import { locatedError } from './field-error.ts';
import { introspectionJson, isIntrospection } from './introspection.ts';
import { isPromise, type MaybePromise } from './maybe-promise.ts';
import type { RawJsonExecution } from './raw-json.ts';
import { ResolveInfo } from './resolve-info.ts';
import type { ExecutionMeter } from './response-state.ts';
import { type Data, type Path, ValueCompletion } from './value-completion.ts';

type Resolver = GraphQLFieldResolver<unknown, unknown>;

/** The result of an operation. */
export interface ExecutedOperation extends ExecutionResult {
  /** The number of errors that are not listed in `errors`. */
  readonly moreErrors?: number;
}

/** The inputs of an execution. */
export interface ExecutionOptions {
  readonly schema: GraphQLSchema;
  readonly contextValue: unknown;
  readonly arguments: RequestArguments;
  /**
   * When it is aborted, no further field is resolved, and the execution ends immediately. A response that is too large
   * aborts it.
   */
  readonly abort: Abort;
  /** Absent if the work of the execution is not measured. */
  readonly meter?: ExecutionMeter | undefined;
}

/**
 * Executes an operation (GraphQL specification, "Execution"). The response is the same as that of graphql-js's
 * `execute` for the document, with the same order of keys and the same error paths. Records that PostgreSQL serialized
 * are inserted as raw JSON.
 *
 * @returns data and located errors. If mutations have started when the operation is aborted: the results of those that
 *   are completed, and errors for all others, so that the caller knows what was written.
 * @throws {ServiceError} `query_too_complex` for a response that is too large; `abort.reason` if the operation is
 *   aborted.
 */
export async function execute(operation: NormalOperation, options: ExecutionOptions): Promise<ExecutedOperation> {
  const execution = new Execution(operation, options);
  try {
    const data = await untilAborted(execution.executeOperation(), options.abort);
    execution.throwIfAborted();
    const { errors, moreErrors } = execution;
    return errors.length > 0 ? { errors, moreErrors, data } : { data };
  } catch (error) {
    const partialResult = options.abort.reason && execution.resultOfAbortedMutations(options.abort.reason);
    if (partialResult) return partialResult;
    execution.throwIfAborted();
    const { errors, moreErrors } = execution;
    return { errors: [...errors, error as GraphQLError], moreErrors, data: null };
  }
}

/** Rejects with the reason of `abort` as soon as it is aborted. */
function untilAborted<Result>(work: MaybePromise<Result>, abort: Abort): MaybePromise<Result> {
  if (!isPromise(work)) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abort.reason);
    abort.addListener(onAbort);
    work.then(resolve, reject).then(() => abort.removeListener(onAbort));
  });
}

/**
 * An object without inherited properties, as graphql-js creates. An object of this constructor with two fields takes 40
 * bytes; one of `Object.create(null)` takes 184, because V8 stores it as a hash table.
 */
const ResponseObject = function ResponseObject() {} as unknown as new () => Data;
ResponseObject.prototype = Object.create(null);

/**
 * Empties the objects of a response that has been serialized, because promises of the execution can keep them in memory;
 * see "Promoted objects of completed requests" in docs/architecture.md. Lists are not emptied, because a list of scalars
 * can belong to a resolver.
 */
export function releaseData(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) releaseData(item);
  } else if (value instanceof ResponseObject) {
    for (const name in value) {
      releaseData(value[name]);
      value[name] = undefined;
    }
  }
}

/** Methods are named after the functions of graphql-js to which they correspond. */
class Execution extends ValueCompletion implements RawJsonExecution {
  /** Whether the first mutation has started. */
  private hasStartedMutations = false;
  /** The result of the completed mutations. */
  private finished: ExecutedOperation & { readonly data: Data } = { data: new ResponseObject() };

  constructor(
    private readonly operation: NormalOperation,
    private readonly options: ExecutionOptions,
  ) {
    super(options.schema, options.contextValue, options.abort, options.meter);
  }

  executeOperation(): MaybePromise<Data> {
    const { type, selection } = this.operation;
    return type === OperationTypeNode.MUTATION
      ? this.executeFieldsSerially(selection)
      : this.executeFields(selection, undefined, undefined);
  }

  private async executeFieldsSerially(selection: Selection): Promise<Data> {
    if (selection.error) throw selection.error;
    const { data } = this.finished;
    for (const field of selection.fields) {
      this.throwIfAborted();
      this.hasStartedMutations = true;
      const path = { prev: undefined, key: field.responseName, typename: selection.type.name };
      const value = await this.executeField(field, undefined, path);
      this.throwIfAborted();
      data[field.responseName] = value;
      this.finished = { data, errors: [...this.errors], moreErrors: this.moreErrors };
    }
    return data;
  }

  /** Returns the result of mutations that were aborted; undefined if none has started. */
  resultOfAbortedMutations(reason: Error): ExecutedOperation | undefined {
    if (!this.hasStartedMutations) return undefined;
    const { errors = [], moreErrors = 0, data } = this.finished;
    const { fields, type } = this.operation.selection;
    const unfinished = fields.filter(({ responseName }) => !(responseName in data));
    const unfinishedMutations = unfinished.filter((field) => !isTypeName(field));
    const errorsOfUnfinished = unfinishedMutations.map((field, index) => {
      const message =
        index === 0
          ? `${reason.message}; this mutation may have been carried out`
          : `Not carried out: ${reason.message}`;
      const code = reason instanceof ServiceError ? reason.code : 'unavailable';
      return locatedError(new ServiceError(code, message), field, () => [field.responseName]);
    });
    const values = unfinished.map((field) => [field.responseName, isTypeName(field) ? type.name : null]);
    const result = { data: Object.assign(new ResponseObject(), data, Object.fromEntries(values)) };
    const allErrors = [...errors, ...errorsOfUnfinished];
    return allErrors.length > 0 ? { errors: allErrors, moreErrors, ...result } : result;
  }

  protected executeFields(selection: Selection, source: unknown, parentPath: Path | undefined): MaybePromise<Data> {
    if (selection.error) throw selection.error;
    this.addCompletedValues(selection.fields.length);
    const data = new ResponseObject();
    const pending: Promise<void>[] = [];
    try {
      for (const field of selection.fields) {
        const name = field.responseName;
        const value = this.executeField(field, source, { prev: parentPath, key: name, typename: selection.type.name });
        // Set the key now, so that keys are in the order of the selection, regardless of which value resolves first.
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
    const isAtRoot = path.prev === undefined;
    const json =
      isAtRoot && isIntrospection(field)
        ? introspectionJson(field, this.options.schema, this.options.arguments)
        : undefined;
    if (json) {
      this.addCharacters(json.text.length);
      return json;
    }
    return this.completeOrHandleError(field, field.definition.type, path, () => this.resolveField(field, source, path));
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

  protected buildResolveInfo(field: NormalField, path: Path): GraphQLResolveInfo {
    const { schema, arguments: args } = this.options;
    return new ResolveInfo(field, path, schema, args.variables, this.operation);
  }
}
