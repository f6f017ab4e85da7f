import type { Context, MiddlewareHandler } from 'hono';

/** Refuses a request for a page whose `Host` header names no allowed host: 421; undefined for every other request. */
export type HostCheck = (c: Context) => Response | undefined;

/**
 * Makes the check that pages are served under known hosts only: loopback names and addresses, and those given.
 *
 * A page of another site can make its own name lead to this service (DNS rebinding): then its scripts would read the
 * pages, and the demo's key in them, as if they were its own. The APIs need no such check, because they need a key.
 *
 * @param allowed further host names and addresses, without ports; `*.example.org` allows every name below it.
 */
export function createHostCheck(allowed: readonly string[]): HostCheck {
  const names = new Set(allowed.filter((name) => !name.startsWith('*.')).map((name) => hostNameOf(name) ?? name));
  const suffixes = allowed.filter((name) => name.startsWith('*.')).map((name) => name.slice(1).toLowerCase());
  return (c) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host;
    const name = hostNameOf(host);
    if (name && (isLoopback(name) || names.has(name) || suffixes.some((suffix) => name.endsWith(suffix)))) {
      return undefined;
    }
    return c.text(
      `This page is not served under the host ${JSON.stringify(name ?? host)}. ` +
        'To have it served, add the host to the setting ALLOWED_HOSTS.\n',
      421,
    );
  };
}

/** The check for all pages below a path. */
export function checkHost(check: HostCheck): MiddlewareHandler {
  return async (c, next) => check(c) ?? (await next());
}

/** In lower case, without port and final dot; numbers of an IPv4 address in their usual form. */
function hostNameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : undefined;
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}
