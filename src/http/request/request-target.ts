import type { IncomingMessage } from 'node:http';

/**
 * Encodes a request target with `..` segments or backslashes, so that it is an unknown path. The URL parser would resolve
 * it to another path: `/v1/x/../members`, `/v1\members`.
 */
export function encodeAmbiguousPath(target: string): string {
  // Requests to a proxy have an absolute URL.
  const [, path = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(target) ?? [];
  const isAmbiguous = /(^|\/)(\.|%2e){2}(\/|$)/i.test(path) || path.includes('\\');
  return path.startsWith('/') && isAmbiguous ? `/${encodeURIComponent(path)}` : target;
}

/** Whether the listener accepts a request target: a path, if there is a host, or an absolute URL. */
export function isValidTarget(target: string, host: string | undefined): boolean {
  if (target.startsWith('/')) return Boolean(host);
  return /^https?:\/\//.test(target) && URL.canParse(target);
}

/** Characters that end the host in a URL, or that the URL parser decodes or encodes. */
const INVALID_HOST_CHARACTERS = /[\s/?#@\\%]|[^ -~]/;

/** Whether a Host header is absent (see {@link isValidTarget}), or valid as the host of a URL. */
export function isValidHost(host: string | undefined): boolean {
  return !host || (!INVALID_HOST_CHARACTERS.test(host) && URL.canParse(`http://${host}`));
}

/** Removes an empty port, and shortens an IPv6 address: the listener rejects hosts that are not as in a parsed URL. */
export function normalizeHost(host: string): string {
  return host.endsWith(':') || host.startsWith('[') ? new URL(`http://${host}`).host : host;
}

/** Whether a request has several Host headers. Node.js ignores all but the first, but a proxy may use another one. */
export function hasSeveralHosts({ headersDistinct }: IncomingMessage): boolean {
  return (headersDistinct.host?.length ?? 0) > 1;
}
