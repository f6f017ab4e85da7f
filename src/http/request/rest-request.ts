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

/** Returns the path and query of a request: parameters that are not in the path template become query parameters. */
export function requestPath(template: string, parameters: Readonly<Record<string, unknown>>): string {
  const query = Object.entries(parameters).filter(([name]) => !template.includes(`{${name}}`));
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString();
  return `${expandPath(template, parameters)}${search && `?${search}`}`;
}
