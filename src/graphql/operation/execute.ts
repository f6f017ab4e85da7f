import { type ExecutionResult, execute, type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { GraphQLContext } from '../data/context.ts';
import { ERROR_LIMITS } from '../document/limits.ts';
import type { NormalOperation, Values } from '../document/normal-form.ts';
import { executableDocument } from '../raw-json/executable-document.ts';
import { executableSchema } from '../raw-json/executable-schema.ts';
import { untilAborted, withLimits } from './abort-execution.ts';

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
 * @param rootValue for a subscription: the changes for which it is executed, see `executableSchema`.
 * @throws the reason of `context.abort` if it is aborted, unless mutations have started: then the result says which of
 *   them were carried out.
 */
export async function executeOperation(
  schema: GraphQLSchema,
  operation: NormalOperation,
  variables: Values,
  context: GraphQLContext,
  rootValue?: unknown,
): Promise<ExecutedOperation> {
  const { abort, size } = context;
  const execution = execute({
    schema: withLimits(executableSchema(schema)),
    document: executableDocument(operation),
    contextValue: context,
    rootValue,
    variableValues: variables,
  });
  const isMutation = operation.type === OperationTypeNode.MUTATION;
  const { data = null, errors: located = [] } = await (isMutation ? execution : untilAborted(execution, abort));
  if (!isMutation && abort.reason) throw abort.reason;
  if (!isMutation && data) size.addData(data);
  const errors = [...located, ...size.errors];
  if (errors.length === 0) return { data };
  const moreErrors = size.moreErrors + Math.max(0, errors.length - ERROR_LIMITS.execution);
  return { errors: errors.slice(0, ERROR_LIMITS.execution), moreErrors, data };
}
