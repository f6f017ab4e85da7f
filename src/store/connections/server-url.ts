import { hasInvalidPort, isInvalidPort, PORT_ERROR } from './port-number.ts';

/**
 * The parts of a URL such as `postgresql://user:secret@one:5432,two:5432/cms?sslmode=verify-full`. The driver and `URL`
 * support only one host.
 */
const SERVER_URL = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^@/?#]*)(?<after>[/?#].*)?$/;

/** The supported values of `target_session_attrs`: the service needs a server that accepts writes. */
const SESSION_ATTRIBUTES = ['read-write', 'primary'];

/** A parsed server URL. */
export interface ServerAddress {
  /** One URL per host, in order. */
  readonly urls: readonly string[];
  /** Hosts and database without the user, for messages. */
  readonly name: string;
  /** Whether connections go through PgBouncer in transaction mode. */
  readonly pgbouncer: boolean;
}

/**
 * Parses a libpq connection URI, which may have several hosts, with Prisma's parameter `pgbouncer=true`.
 *
 * @throws {TypeError} with a message that does not quote the URL.
 */
export function parseServerUrl(databaseUrl: string): ServerAddress {
  const { before = '', hosts = '', after = '' } = SERVER_URL.exec(databaseUrl)?.groups ?? {};
  if (before && hasInvalidPort(databaseUrl)) throw new TypeError(PORT_ERROR);
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  const hasSeveral = urls.length > 1;
  if (!before || !urls.every((url) => URL.canParse(url)) || (hasSeveral && hosts.split(',').includes(''))) {
    throw new TypeError('must be a URL that starts with postgresql:// or postgres://');
  }
  const { pathname, searchParams } = new URL(urls[0] as string);
  if (isInvalidPort(searchParams.get('port'))) throw new TypeError(PORT_ERROR);
  const attributes = searchParams.get('target_session_attrs');
  if (hasSeveral && attributes !== null && !SESSION_ATTRIBUTES.includes(attributes)) {
    throw new TypeError(
      `must have target_session_attrs=${SESSION_ATTRIBUTES.join(' or ')}, or no such parameter, for several hosts`,
    );
  }
  return { urls, name: `${hosts}${pathname}`, pgbouncer: searchParams.get('pgbouncer') === 'true' };
}
