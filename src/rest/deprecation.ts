import { queryValue } from '../http/request/query.ts';
import type { ResponseHeaders } from '../http/request/request-env.ts';

/**
 * The headers of a response to a request with the deprecated parameter `search`: since when it is deprecated (RFC 9745), and
 * until when it works (RFC 8594), at least twelve months later (decisions, "Version 1.0").
 */
const SEARCH: ResponseHeaders = {
  Deprecation: `@${Date.UTC(2026, 10, 27) / 1_000}`,
  Sunset: new Date(Date.UTC(2027, 10, 27)).toUTCString(),
};

/** Returns the headers that announce the end of what a request uses; undefined if nothing of it is deprecated. */
export function deprecationHeaders(url: string): ResponseHeaders | undefined {
  return queryValue(url, 'search') === undefined ? undefined : SEARCH;
}
