import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type CustomPersistedQueryErrors,
  usePersistedOperations as useYogaPersistedOperations,
} from '@graphql-yoga/plugin-persisted-operations';
import { GraphQLError, type GraphQLSchema, validate } from 'graphql';
import type { GraphQLParams, OnParamsEventPayload, Plugin } from 'graphql-yoga';
import { z } from 'zod';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { locationsOf, parseWithinLimits } from '../document/parse.ts';

/**
 * The documents that a request can reference by id. In mode `allow`, requests may instead contain any document; in mode
 * `only`, they must reference one of these.
 */
export interface PersistedOperations {
  readonly mode: 'allow' | 'only';
  /** Documents by id. */
  readonly documents: ReadonlyMap<string, string>;
}

/** The parameters of a request with those of persisted documents (GraphQL over HTTP, appendix "Persisted Documents"). */
type Params = GraphQLParams & { readonly documentId?: string };

/**
 * Finds the document of a request.
 *
 * Errors: `persisted_query_not_found` for an unknown id, or `persisted_query_not_supported` if persisted operations are
 * not enabled; in mode `only`, `persisted_query_only` for a document without a known id; `invalid_request` for a missing
 * or contradictory parameter.
 *
 * @param persisted undefined if persisted operations are not enabled.
 */
export function usePersistedOperations(persisted: PersistedOperations | undefined): Plugin {
  const documentOf = (id: string | null) => (id === null ? undefined : persisted?.documents.get(id));
  return {
    onPluginInit({ addPlugin }) {
      addPlugin(
        useYogaPersistedOperations({
          allowArbitraryOperations: persisted?.mode !== 'only',
          extractPersistedOperationId: idOf,
          getPersistedOperation: (id) => documentOf(id) ?? null,
          customErrors: errorsOf(persisted?.mode),
        }),
      );
    },
    // The official plugin ignores the id of a request that also contains the document, as Apollo Client and urql send it.
    onParams({ params, setParams }) {
      const { query, documentId } = params as Params;
      if (documentId != null && (query != null || hashOf(params) !== null)) {
        throw invalidRequest({ field: 'documentId', message: 'cannot be combined with query or persistedQuery' });
      }
      const listed = documentOf(idOf(params));
      if (query == null || listed === undefined) return;
      if (query !== listed) {
        throw invalidRequest({ field: 'query', message: 'does not match the document with this sha256Hash' });
      }
      setParams({ ...params, query: undefined as never });
    },
  };
}

function hashOf({ extensions }: GraphQLParams): string | null {
  return (extensions?.persistedQuery as { sha256Hash?: string } | null | undefined)?.sha256Hash ?? null;
}

function idOf(params: GraphQLParams): string | null {
  return (params as Params).documentId ?? hashOf(params);
}

/** The errors of a request whose document is not found or not allowed. @param mode undefined if there are no lists. */
function errorsOf(mode: PersistedOperations['mode'] | undefined): CustomPersistedQueryErrors {
  return {
    notFound: ({ params }: OnParamsEventPayload) => notFound(params, mode !== undefined),
    keyNotFound: () =>
      mode === 'only'
        ? invalidRequest({ field: 'documentId', message: 'required: the id of a persisted operation' })
        : invalidRequest({
            field: 'query',
            message: 'required: the text of the operation, such as { viewer { keyName } }',
          }),
    persistedQueryOnly: () =>
      new ServiceError(
        'persisted_query_only',
        'Only persisted operations are allowed; send documentId or extensions.persistedQuery.sha256Hash',
      ),
  };
}

/** For a hash, both errors have the messages that Apollo Client and urql recognize; these clients then send the document. */
function notFound(params: GraphQLParams, isEnabled: boolean): ServiceError {
  const isHash = (params as Params).documentId == null;
  if (isEnabled) {
    const message = isHash ? 'PersistedQueryNotFound' : 'No persisted operation has this documentId';
    return new ServiceError('persisted_query_not_found', message);
  }
  const message = isHash ? 'PersistedQueryNotSupported' : 'Persisted operations are not enabled; send query instead';
  return new ServiceError('persisted_query_not_supported', message);
}

/** Thrown for invalid operation lists. The message has one line per problem, with its file and operation. */
export class InvalidOperationListsError extends Error {}

/** A list in the format of Apollo's `generate-persisted-query-manifest`. */
const apolloManifest = z
  .object({
    format: z.literal('apollo-persisted-query-manifest'),
    version: z.literal(1),
    operations: z.array(z.object({ id: z.string(), body: z.string() })),
  })
  .transform(({ operations }) => operations.map(({ id, body }) => ({ id, document: body })));

/** A list in the format of Relay's compiler (`persistConfig.file`) and graphql-codegen (`persistedDocuments`). */
const documentsById = z
  .record(z.string(), z.string())
  .transform((documents) => Object.entries(documents).map(([id, document]) => ({ id, document })));

const operationList = z.union([apolloManifest, documentsById]);

/**
 * Reads operation lists in the formats of GraphQL client tools and validates their documents.
 *
 * @param schema the schema for which the documents must be valid.
 * @returns the documents by id. Each document can also be found by its SHA-256 hash, with and without the prefix
 *   `sha256:` (GraphQL over HTTP, appendix "Persisted Documents").
 * @throws {InvalidOperationListsError} for an unreadable file, an unknown format, an invalid document, or an id that is
 *   used for two documents.
 */
export async function readOperationLists(
  files: readonly string[],
  schema: GraphQLSchema,
): Promise<ReadonlyMap<string, string>> {
  const problems: string[] = [];
  const byId = new Map<string, string>();
  const byHash = new Map<string, string>();
  for (const { id, document, source } of (await Promise.all(files.map((file) => readList(file, problems)))).flat()) {
    if ((byId.get(id) ?? document) !== document)
      problems.push(`${source}: the id is already used for another document`);
    problems.push(...problemsOf(document, schema).map((problem) => `${source}: ${problem}`));
    byId.set(id, document);
    const hash = createHash('sha256').update(document).digest('hex');
    byHash.set(hash, document).set(`sha256:${hash}`, document);
  }
  if (problems.length > 0) throw new InvalidOperationListsError(problems.join('\n'));
  return new Map([...byHash, ...byId]);
}

/** Reads a list. @returns its operations, each with its file and id for error messages; none if there is a problem. */
async function readList(file: string, problems: string[]) {
  try {
    const { data: operations } = operationList.safeParse(JSON.parse(await readFile(file, 'utf8')));
    if (operations) return operations.map((operation) => ({ ...operation, source: `${file}, ${operation.id}` }));
    problems.push(`${file}: must be a JSON object that maps ids to documents, or an Apollo persisted query manifest`);
  } catch (error) {
    problems.push(`${file}: ${(error as Error).message}`);
  }
  return [];
}

function problemsOf(document: string, schema: GraphQLSchema): string[] {
  try {
    return validate(schema, parseWithinLimits(document)).map(withLocation);
  } catch (error) {
    return [withLocation(error as Error)];
  }
}

function withLocation(error: Error): string {
  const [location] = (error instanceof GraphQLError && locationsOf(error)) || [];
  return location ? `${error.message} (line ${location.line}, column ${location.column})` : error.message;
}
