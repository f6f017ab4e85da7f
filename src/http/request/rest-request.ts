/** A request to the REST API. */
export interface RestRequest {
  readonly method: string;
  /** The path and query string: `/v1/members?limit=2`. */
  readonly path: string;
  /** Absent if the request has none. */
  readonly body?: unknown;
}
