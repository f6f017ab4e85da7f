import type { Context } from 'hono';

/** Returns a 421 response for a page request with a disallowed `Host` header, otherwise undefined. */
export type HostCheck = (c: Context) => Response | undefined;

/**
 * Creates the check that a page is requested under a loopback name, a loopback address or an allowed host.
 *
 * It prevents DNS rebinding: the host name of another site could resolve to the address of this service, so that
 * scripts of that site could read the pages and the demo key in them. The APIs need no such check, because they require
 * a key.
 *
 * @param allowed further host names and addresses, without ports; `*.example.org` allows all subdomains.
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
        'To allow it, add the host to the setting ALLOWED_HOSTS.\n',
      421,
    );
  };
}

/** The host in lower case without port and trailing dot, with IPv4 addresses normalized. */
function hostNameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : undefined;
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}
