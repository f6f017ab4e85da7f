import { invalidRequest, ServiceError } from '../../domain/errors.ts';

/**
 * The documents that may be asked for by an id alone. `allow`: beside any other document; `only`: and no other.
 *
 * Yoga's plugin for persisted operations works in Yoga's HTTP layer (`onParams`), which this service does not
 * use, and it passes over an id beside a document, which Apollo's and urql's links send after a miss.
 */
export interface PersistedOperations {
  readonly mode: 'allow' | 'only';
  /** Documents by each id that leads to them. */
  readonly documents: ReadonlyMap<string, string>;
}

const ONLY = 'Only listed operations run here: name one by documentId or extensions.persistedQuery.sha256Hash';

/** How a request says which document it means; each may be missing. */
interface AskedDocument {
  readonly query: string | undefined;
  /** GraphQL over HTTP, appendix "Persisted Documents". */
  readonly documentId: string | undefined;
  /** `extensions.persistedQuery.sha256Hash`, as Apollo's protocol of automatic persisted queries has it. */
  readonly sha256Hash: string | undefined;
}

/**
 * The document that a request means.
 *
 * @throws {ServiceError} `persisted_query_not_found` for an id that no list has, `persisted_query_not_supported`
 *   without any list, `persisted_query_only` for a document where only listed ones run, `invalid_request`.
 */
export function documentOf(asked: AskedDocument, persisted: PersistedOperations | undefined): string {
  const { query, documentId, sha256Hash } = asked;
  if (documentId !== undefined && (query !== undefined || sha256Hash !== undefined)) {
    throw invalidRequest({ field: 'documentId', message: 'must stand alone, without query or persistedQuery' });
  }
  const id = documentId ?? sha256Hash;
  const listed = id === undefined ? undefined : persisted?.documents.get(id);
  if (listed !== undefined) {
    if (query === undefined || query === listed) return listed;
    throw invalidRequest({ field: 'query', message: 'is not the document that is listed by this sha256Hash' });
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

/** Clients know both refusals by these very words, in answer to a hash; then they send the document. */
function notFound(documentId: string | undefined): ServiceError {
  const message = documentId === undefined ? 'PersistedQueryNotFound' : 'No operation is listed by this documentId';
  return new ServiceError('persisted_query_not_found', message);
}

function notSupported(documentId: string | undefined): ServiceError {
  const message =
    documentId === undefined ? 'PersistedQueryNotSupported' : 'This service has no list of operations: send the query';
  return new ServiceError('persisted_query_not_supported', message);
}
