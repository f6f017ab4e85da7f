import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { type Rehearsal, rehearse } from '../../domain/core/rehearsal.ts';

/**
 * The documents that a request can reference by id. In mode `allow`, requests may instead contain any document; in mode
 * `only`, they must reference one of these.
 *
 * Yoga's plugin for persisted operations is not used: it depends on Yoga's HTTP layer (`onParams`), and ignores the id in
 * requests that contain both an id and a document, which Apollo Client and urql send after `PersistedQueryNotFound`.
 */
export interface PersistedOperations {
  readonly mode: 'allow' | 'only';
  /** Documents by id. */
  readonly documents: ReadonlyMap<string, string>;
}

/** The parameters of a request that identify its document. */
interface DocumentReference {
  readonly query: string | undefined;
  /** GraphQL over HTTP, appendix "Persisted Documents". */
  readonly documentId: string | undefined;
  /** `extensions.persistedQuery.sha256Hash`, as in Apollo's automatic persisted queries. */
  readonly sha256Hash: string | undefined;
}

/**
 * Determines the document of a request.
 *
 * @param rehearsal the error that the request rehearses, if any.
 * @param persisted undefined if persisted operations are not enabled.
 * @throws {ServiceError} without a document: `persisted_query_not_found` for an unknown id, or
 *   `persisted_query_not_supported` if persisted operations are not enabled. In mode `only`: `persisted_query_only` for a
 *   document without a known id. `invalid_request` for a missing or contradictory parameter.
 */
export function documentOf(
  reference: DocumentReference,
  rehearsal: Rehearsal | undefined,
  persisted: PersistedOperations | undefined,
): string {
  const { query, documentId, sha256Hash } = reference;
  rehearse(rehearsal, {
    persisted_query_not_found: () => notFound(documentId),
    persisted_query_not_supported: () => notSupported(documentId),
    persisted_query_only: onlyPersisted,
  });
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
    throw onlyPersisted();
  }
  if (id === undefined) {
    throw invalidRequest({ field: persisted?.mode === 'only' ? 'documentId' : 'query', message: 'required' });
  }
  throw persisted ? notFound(documentId) : notSupported(documentId);
}

/** For a hash, both errors have the messages that Apollo Client and urql recognize; these clients then send the document. */
function notFound(documentId: string | undefined): ServiceError {
  const message = documentId === undefined ? 'PersistedQueryNotFound' : 'No persisted operation has this documentId';
  return new ServiceError('persisted_query_not_found', message);
}

function onlyPersisted(): ServiceError {
  return new ServiceError(
    'persisted_query_only',
    'Only persisted operations are allowed; send documentId or extensions.persistedQuery.sha256Hash',
  );
}

function notSupported(documentId: string | undefined): ServiceError {
  const message =
    documentId === undefined
      ? 'PersistedQueryNotSupported'
      : 'Persisted operations are not enabled; send query instead';
  return new ServiceError('persisted_query_not_supported', message);
}
