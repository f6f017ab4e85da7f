import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Context } from 'hono';
import { z } from 'zod';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { parseInput } from '../../domain/core/parse-input.ts';
import { truncate } from '../../domain/values/words.ts';
import { parseJsonBody, readJsonText, rejectManyMembers } from '../../http/request/json-body.ts';
import { describeJsonError } from '../../http/request/json-error.ts';
import { checkParameters, queryValue } from '../../http/request/query.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { GraphQLContext } from '../data/context.ts';
import type { MeasuredOperation } from '../operation/check-request.ts';

/** What the plugins of Yoga know of a request. */
export interface RequestState {
  readonly c: Context<RequestEnv>;
  readonly context: GraphQLContext;
  /** The length of the body or query string. */
  length: number;
  /** The operation; set when the request has been checked. */
  measured?: MeasuredOperation;
}

/**
 * The state of each request that Yoga handles. By request and not in Yoga's server context, because Yoga copies that with all
 * its property descriptors. Delete it afterwards: a request lives as long as its response.
 */
export const requestStates = new WeakMap<Request, RequestState>();

/** The state of a request that Yoga handles. */
export function stateOf(request: Request): RequestState {
  const state = requestStates.get(request);
  if (!state) throw new TypeError('The request has no state');
  return state;
}

/** Not `z.record`, which copies the object: the copy would lose a key named `__proto__`. */
const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  {
    error: ({ input }) =>
      `must be an object, as in {"id": "…"}${typeof input === 'string' ? ', not text' : ''}; without values, leave it out`,
  },
);

const text = z.string().nullish();

const parameters = {
  query: text,
  documentId: text,
  operationName: text,
  variables: object.nullish(),
  extensions: z
    .looseObject({ persistedQuery: z.looseObject({ version: z.literal(1), sha256Hash: z.string() }).nullish() })
    .nullish(),
};

const PARAMETERS = Object.keys(parameters);

/** Sent by Apollo Client 4 with graphql-sse; redundant, because the document contains it. */
const ignored = { operationType: text };

/** Names of `documentId` in networks of Relay, Strawberry Shake and others, which also send it beside `query`. */
const otherIds = { id: text, doc_id: text, docId: text, queryId: text };
const OTHER_IDS = Object.keys(otherIds);

const graphqlRequest = z.strictObject(
  { ...parameters, ...otherIds, ...ignored },
  {
    error: ({ code }) => (code === 'invalid_type' ? 'must be an object with the field query' : undefined),
  },
);

/** In the URL of a POST, these would be ignored. Some clients add the name of the operation to the URL, for logs. */
const REJECTED_IN_POST_URL = PARAMETERS.filter((name) => name !== 'operationName');

/** Reads the parameters of requests (GraphQL over HTTP, "Request Parameters"), and rejects arrays of operations. */
export function useRequest(): Plugin {
  return {
    onRequestParse({ request, setRequestParser }) {
      setRequestParser(() => readParameters(stateOf(request)));
    },
  };
}

/**
 * Reads the parameters of a request from the body of a POST or the query string of a GET.
 *
 * @throws {ServiceError} {@link BatchRejected}, `invalid_request`, and the errors of {@link readJsonText} and
 *   {@link parseJsonBody}.
 */
async function readParameters(state: RequestState): Promise<GraphQLParams> {
  const { c } = state;
  const sent = c.req.method === 'POST' ? await fromBody(state) : fromQueryString(state);
  rejectIfMatch(c);
  if (Array.isArray(sent)) throw new BatchRejected(sent.length);
  rejectUnknownFields(sent);
  const { query, variables, extensions, ...others } = parseInput(graphqlRequest, sent);
  const otherId = query == null ? (others.id ?? others.doc_id ?? others.docId ?? others.queryId) : undefined;
  const documentId = others.documentId ?? otherId;
  // As in other servers, an empty name is none.
  const operationName = others.operationName || undefined;
  return { query, documentId, operationName, variables, extensions } as GraphQLParams;
}

/** Rejects the precondition of REST: a mutation that ignored it could overwrite the change of another client. */
function rejectIfMatch(c: Context): void {
  const field = ['If-Match', 'If-Unmodified-Since'].find((name) => c.req.header(name) !== undefined);
  if (field === undefined) return;
  const message = 'is not supported by GraphQL; use the input field expectedUpdatedAt of updateMember instead';
  throw invalidRequest({ field, message });
}

/** Rejects unknown fields with the names of those that exist, like unknown parameters of a GET. */
function rejectUnknownFields(sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return;
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(graphqlRequest.shape, name));
  if (unknown.length === 0) return;
  // Only once, because there can be many.
  const names = `; use ${PARAMETERS.join(', ')}`;
  const errors = unknown.map((name, n) => ({ field: truncate(name), message: `unknown field${n === 0 ? names : ''}` }));
  throw invalidRequest(...errors);
}

/**
 * Returns the JSON body of a POST. Parameters in its query string are rejected, because they would be ignored: a search
 * without its variables, for example, would return the whole list.
 *
 * @throws {ServiceError} `invalid_request` for such a parameter; the errors of {@link readJsonText} and
 *   {@link parseJsonBody}.
 */
async function fromBody(state: RequestState): Promise<unknown> {
  const { url } = state.c.req;
  const rejected = url.includes('?') ? REJECTED_IN_POST_URL : [];
  const name = rejected.find((parameter) => queryValue(url, parameter) !== undefined);
  if (name) throw invalidRequest({ field: name, message: 'must be in the body of a POST, not in the query string' });
  const text = await readJsonText(state.c);
  state.length = text.length;
  return parseBody(text);
}

/** Parses a body; the error for a body that is an operation itself says where the operation belongs. */
function parseBody(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    const isOperation = error instanceof ServiceError && /^\s*(?:\{\s*\w|query\b|mutation\b)/.test(text);
    if (!isOperation) throw error;
    throw new ServiceError(error.code, `${error.message}; send the operation as { "query": "…" }`);
  }
}

/**
 * Returns the parameters of a query string.
 *
 * @throws {ServiceError} `invalid_request` if one is unknown, repeated or not UTF-8.
 */
function fromQueryString(state: RequestState): unknown {
  const { url } = state.c.req;
  if (state.c.req.header('upgrade')?.toLowerCase() === 'websocket') {
    const message = 'WebSockets are not supported; send subscriptions by POST with Accept: text/event-stream';
    throw invalidRequest({ field: 'Upgrade', message });
  }
  state.length = url.length;
  checkParameters(url, {
    operation: 'GET /graphql',
    names: PARAMETERS,
    otherNames: OTHER_IDS,
    lists: new Set(),
  });
  const values = Object.fromEntries([...PARAMETERS, ...OTHER_IDS].map((name) => [name, queryValue(url, name)]));
  const { variables, extensions, ...others } = values;
  return {
    ...others,
    ...(variables && { variables: parseParameter('variables', variables) }),
    ...(extensions && { extensions: parseParameter('extensions', extensions) }),
  };
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
 * Maximum length of an array of operations for which each operation gets an error; a longer array gets a single one
 * (decisions, "GraphQL, side by side with REST").
 */
const MAX_RESULTS = 50;

/** `invalid_request` for an array of operations. */
export class BatchRejected extends ServiceError {
  /** @param operations the length of the array. */
  constructor(private readonly operations: number) {
    const message =
      'must be one operation: batching is not supported; send each operation in a separate request ' +
      '(in Apollo Client, use HttpLink instead of BatchHttpLink)';
    super('invalid_request', `body: ${message}`, [{ field: 'body', message }]);
  }

  /**
   * The body of the response: an array of results, one for each operation, because the BatchHttpLink of Apollo Client 4
   * reports the errors only in this form. That of version 3 reports only the status.
   */
  bodyOf(result: object): object {
    const { operations } = this;
    return operations > 0 && operations <= MAX_RESULTS ? Array(operations).fill(result) : result;
  }
}
