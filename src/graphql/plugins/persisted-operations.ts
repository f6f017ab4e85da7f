import { usePersistedOperations as useYogaPersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { GraphQLParams, OnParamsEventPayload, Plugin } from 'graphql-yoga';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';

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
export function persistedOperations(persisted: PersistedOperations | undefined): Plugin[] {
  const documentOf = (id: string | null) => (id === null ? undefined : persisted?.documents.get(id));
  return [
    {
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
    },
    useYogaPersistedOperations({
      allowArbitraryOperations: persisted?.mode !== 'only',
      extractPersistedOperationId: idOf,
      getPersistedOperation: (id) => documentOf(id) ?? null,
      customErrors: {
        notFound: ({ params }: OnParamsEventPayload) => notFound(params, persisted !== undefined),
        keyNotFound: () =>
          persisted?.mode === 'only'
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
      },
    }),
  ];
}

function hashOf({ extensions }: GraphQLParams): string | null {
  return (extensions?.persistedQuery as { sha256Hash?: string } | null | undefined)?.sha256Hash ?? null;
}

function idOf(params: GraphQLParams): string | null {
  return (params as Params).documentId ?? hashOf(params);
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
