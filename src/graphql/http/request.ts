import type { OperationDefinitionNode } from 'graphql';
import type { Context } from 'hono';
import { z } from 'zod';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { parseInput } from '../../domain/core/parse-input.ts';
import { type Rehearsal, rehearse } from '../../domain/core/rehearsal.ts';
import { parseJsonBody, REHEARSED_BODY_ERRORS, readJsonText, rejectManyMembers } from '../../http/request/json-body.ts';
import { describeJsonError } from '../../http/request/json-error.ts';
import { queryValue, rejectUnknownParameters } from '../../http/request/query.ts';
import type { PreparedDocument } from '../operation/prepared-document.ts';
import { documentOf, type PersistedOperations } from './persisted-operations.ts';

/** Not `z.record`, which copies the object: the copy would lose a key named `__proto__`. */
const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be an object' },
);

const graphqlRequest = z.strictObject({
  query: z.string().nullish(),
  documentId: z.string().nullish(),
  operationName: z.string().nullish(),
  variables: object.nullish(),
  extensions: z
    .looseObject({ persistedQuery: z.looseObject({ version: z.literal(1), sha256Hash: z.string() }).nullish() })
    .nullish(),
});

const PARAMETERS = Object.keys(graphqlRequest.shape);

/** In the URL of a POST, these would be ignored. Some clients add the name of the operation to the URL, for logs. */
const REJECTED_IN_POST_URL = PARAMETERS.filter((name) => name !== 'operationName');

/** `invalid_request` for an array of operations. */
export class BatchRejected extends ServiceError {
  /** @param operations the length of the array. */
  constructor(readonly operations: number) {
    const message =
      'must be one operation: batching is not supported; send each operation in a separate request ' +
      '(in Apollo Client, use HttpLink instead of BatchHttpLink)';
    super('invalid_request', `body: ${message}`, [{ field: 'body', message }]);
  }
}

/** The parameters of a request (GraphQL over HTTP, "Request Parameters"). */
export interface GraphQLRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The length of the body or query string. */
  readonly length: number;
}

/**
 * Reads the parameters of a request from the body of a POST or the query string of a GET.
 *
 * @param rehearsal the error that the request rehearses, if any.
 * @param persisted undefined if persisted operations are not enabled.
 * @throws {ServiceError} {@link BatchRejected}, `invalid_request`, and the errors of {@link readJsonText},
 *   {@link parseJsonBody} and {@link documentOf}.
 */
export async function readRequest(
  c: Context,
  rehearsal: Rehearsal | undefined,
  persisted: PersistedOperations | undefined,
): Promise<GraphQLRequest> {
  rehearse(rehearsal, REHEARSED_BODY_ERRORS);
  const { sent, length } = c.req.method === 'POST' ? await fromBody(c) : fromQueryString(c);
  if (Array.isArray(sent)) throw new BatchRejected(sent.length);
  const { query, documentId, operationName, variables, extensions } = parseInput(graphqlRequest, sent);
  const reference = {
    query: query ?? undefined,
    documentId: documentId ?? undefined,
    sha256Hash: extensions?.persistedQuery?.sha256Hash,
  };
  return {
    query: documentOf(reference, rehearsal, persisted),
    operationName: operationName || undefined,
    variables: variables ?? {},
    length,
  };
}

/** The parameters of a request before they are validated, and the length of the text that contains them. */
interface SentParameters {
  readonly sent: unknown;
  readonly length: number;
}

/**
 * Returns the JSON body of a POST.
 *
 * @throws {ServiceError} the errors of {@link readJsonText} and {@link parseJsonBody}; `invalid_request` if the query string has a parameter that would
 *   be ignored: without its variables, for example, a search would return the whole list.
 */
async function fromBody(c: Context): Promise<SentParameters> {
  const { url } = c.req;
  const rejected = url.includes('?') ? REJECTED_IN_POST_URL : [];
  const name = rejected.find((parameter) => queryValue(url, parameter) !== undefined);
  if (name) throw invalidRequest({ field: name, message: 'must be in the body of a POST, not in the query string' });
  const text = await readJsonText(c);
  return { sent: parseJsonBody(text), length: text.length };
}

/**
 * Returns the parameters of a query string.
 *
 * @throws {ServiceError} `invalid_request` if one is unknown, repeated or not UTF-8.
 */
function fromQueryString({ req: { url } }: Context): SentParameters {
  rejectUnknownParameters(url, PARAMETERS);
  const values = Object.fromEntries(PARAMETERS.map((name) => [name, singleValue(url, name)]));
  const { variables, extensions, ...others } = values;
  const sent = {
    ...others,
    ...(variables ? { variables: parseParameter('variables', variables) } : {}),
    ...(extensions ? { extensions: parseParameter('extensions', extensions) } : {}),
  };
  return { sent, length: url.length };
}

function singleValue(url: string, name: string): string | undefined {
  const value = queryValue(url, name);
  if (Array.isArray(value)) throw invalidRequest({ field: name, message: 'must be given once' });
  return value;
}

function parseParameter(field: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidRequest({ field, message: `must be JSON: ${describeJsonError(text)}` });
  }
  rejectManyMembers(field, value, text.length);
  return value;
}

/**
 * Selects the operation of a document that a request executes.
 *
 * @throws {ServiceError} `invalid_request` if `operationName` is unknown, or missing although the document has several
 *   operations; `method_not_allowed` for a mutation by GET.
 */
export function requireOperation(
  document: PreparedDocument,
  { operationName }: GraphQLRequest,
  method: string,
): OperationDefinitionNode {
  const operation = document.operation(operationName);
  if (!operation) {
    throw invalidRequest({ field: 'operationName', message: 'must be the name of an operation in the query' });
  }
  if (method !== 'POST' && operation.operation === 'mutation') {
    throw new ServiceError('method_not_allowed', 'Mutations must be sent with POST');
  }
  return operation;
}
