import { invalidRequest, ServiceError } from '../../domain/errors.ts';

/**
 * The documents that a request can name by an id. `allow`: other documents run too; `only`: no other document runs.
 *
 * Yoga's plugin for persisted operations is not used: it works in Yoga's HTTP layer (`onParams`), and ignores the id in
 * requests that contain both an id and a document, as Apollo's and urql's links send after a miss.
 */
export interface PersistedOperations {
  readonly mode: 'allow' | 'only';
  /** By id. */
  readonly documents: ReadonlyMap<string, string>;
}

const ONLY = 'Only persisted operations are allowed: send documentId or extensions.persistedQuery.sha256Hash';

/** The parts of a request that determine its document. */
interface DocumentReference {
  readonly query: string | undefined;
  /** GraphQL over HTTP, appendix "Persisted Documents". */
  readonly documentId: string | undefined;
  /** `extensions.persistedQuery.sha256Hash` of Apollo's automatic persisted queries. */
  readonly sha256Hash: string | undefined;
}

/**
 * The document of a request.
 *
 * @throws {ServiceError} `persisted_query_not_found` for an unknown id, `persisted_query_not_supported` if there are no
 *   persisted operations, `persisted_query_only` for another document in mode `only`, `invalid_request`.
 */
export function documentOf(reference: DocumentReference, persisted: PersistedOperations | undefined): string {
  const { query, documentId, sha256Hash } = reference;
  if (documentId !== undefined && (query !== undefined || sha256Hash !== undefined)) {
    throw invalidRequest({ field: 'documentId', message: 'cannot be combined with query or persistedQuery' });
  }
  const id = documentId ?? sha256Hash;
  const listed = id === undefined ? undefined : persisted?.documents.get(id);
  if (listed !== undefined) {
    if (query === undefined || query === listed) return listed;
    throw invalidRequest({ field: 'query', message: 'does not match the document with this sha256Hash' });
  }
  if (query !== undefined) {
    if (persisted?.mode !== 'only') return query;
    throw new ServiceError('persisted_query_only', ONLY);
  }
  if (id === undefined) {
    throw invalidRequest({ field: persisted?.mode === 'only' ? 'documentId' : 'query', message: 'required' });
  }
  throw persisted ? notFound(documentId) : notSupported(documentId);
}

/** Clients recognize both errors by these messages, in response to a hash; then they send the document. */
function notFound(documentId: string | undefined): ServiceError {
  const message = documentId === undefined ? 'PersistedQueryNotFound' : 'No persisted operation has this documentId';
  return new ServiceError('persisted_query_not_found', message);
}

function notSupported(documentId: string | undefined): ServiceError {
  const message =
    documentId === undefined ? 'PersistedQueryNotSupported' : 'There are no persisted operations here: send the query';
  return new ServiceError('persisted_query_not_supported', message);
}
