import { type ExecutionResult, execute, executeSync, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import type { GraphQLContext } from '../data/context.ts';
import { executableDocument } from '../raw-json/executable-document.ts';
import { executableSchema } from '../raw-json/executable-schema.ts';
import { RawJson } from '../raw-json/raw-json.ts';
import { untilAborted, withDeadline } from './deadline.ts';
import { isMetaIntrospection } from './introspection.ts';
import type { NormalOperation } from './normal-form.ts';
import { addData, MAX_ERRORS } from './response-limits.ts';

/** The result of an operation. */
export interface ExecutedOperation extends ExecutionResult {
  /** The number of errors that are not listed in `errors`. */
  readonly moreErrors?: number;
}

/**
 * Executes an operation with graphql-js. Records that PostgreSQL serialized are in the data as `RawJson`.
 *
 * @param schema the public schema, with resolvers.
 * @param variables the coerced variable values.
 * @throws the reason of `context.abort` if it is aborted, unless mutations have started: then the result says which of
 *   them were carried out.
 */
export async function executeOperation(
  schema: GraphQLSchema,
  operation: NormalOperation,
  variables: Readonly<Record<string, unknown>>,
  context: GraphQLContext,
): Promise<ExecutedOperation> {
  const { introspection, others } = partsOf(operation);
  const results: ExecutionResult[] = [];
  if (introspection) results.push(introspect(schema, introspection, variables));
  if (others) {
    const execution = execute({
      schema: withDeadline(executableSchema(schema)),
      document: executableDocument(others),
      contextValue: context,
      variableValues: variables,
    });
    const isMutation = operation.type === OperationTypeNode.MUTATION;
    results.push(await (isMutation ? execution : untilAborted(execution, context.abort)));
    const data = results.at(-1)?.data;
    if (!isMutation && context.abort.reason) throw context.abort.reason;
    if (!isMutation && data) addData(context, data);
  }
  const [first, second] = results as [ExecutionResult, ExecutionResult?];
  const data = second ? mergeData(operation, first.data, second.data) : (first.data ?? null);
  const { size } = context;
  const errors = [...results.flatMap((result) => result.errors ?? []), ...size.errors];
  if (errors.length === 0) return { data };
  const moreErrors = size.moreErrors + Math.max(0, errors.length - MAX_ERRORS);
  return { errors: errors.slice(0, MAX_ERRORS), moreErrors, data };
}

/** The parts of an operation that are executed with different schemas; at least one. */
interface Parts {
  readonly introspection?: NormalOperation;
  readonly others?: NormalOperation;
}

/** Introspection is that of the public schema, in which no leaf for serialized records exists. */
const partsOf = memoize((operation: NormalOperation): Parts => {
  const { selection } = operation;
  const introspection = selection.fields.filter(isMetaIntrospection);
  if (introspection.length === 0) return { others: operation };
  const others = selection.fields.filter((field) => !isMetaIntrospection(field));
  const partWith = (fields: NormalOperation['selection']['fields']) => ({
    ...operation,
    selection: { ...selection, fields },
  });
  return {
    introspection: others.length === 0 ? operation : partWith(introspection),
    ...(others.length > 0 && { others: partWith(others) }),
  };
});

/** Introspection results of operations without variables, which depend on the schema alone. */
const introspectionResults = new WeakMap<NormalOperation, ExecutionResult>();

function introspect(
  schema: GraphQLSchema,
  operation: NormalOperation,
  variableValues: Readonly<Record<string, unknown>>,
): ExecutionResult {
  const cached = introspectionResults.get(operation);
  if (cached) return cached;
  const result = executeSync({ schema, document: executableDocument(operation), variableValues });
  if (operation.source.operation.variableDefinitions?.length || result.errors || !result.data) return result;
  // Kept as JSON, which takes less memory.
  const data = Object.fromEntries(Object.entries(result.data).map(([name, value]) => [name, rawJsonOf(value)]));
  introspectionResults.set(operation, { data });
  return { data };
}

function rawJsonOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? new RawJson(JSON.stringify(value)) : value;
}

/** Merges the data of both parts in the order of the operation's fields. */
function mergeData({ selection }: NormalOperation, one: ExecutionResult['data'], other: ExecutionResult['data']) {
  if (!one || !other) return null;
  return Object.fromEntries(
    selection.fields.map(({ responseName }) => [
      responseName,
      responseName in one ? one[responseName] : other[responseName],
    ]),
  );
}
