/** A request to the REST API. */
export interface RestRequest {
  readonly method: string;
  /** The path and query string: `/v1/members?limit=2`. */
  readonly path: string;
  readonly body?: unknown;
}

/** Returns a path template with its parameters replaced by percent-encoded values: `/tags/{id}` becomes `/tags/tag_1`. */
export function expandPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
