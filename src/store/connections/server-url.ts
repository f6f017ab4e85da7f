import { hasWrongPort, isWrongPort, PORT_ERROR } from './port-number.ts';

/**
 * The parts of an address such as `postgresql://user:secret@one:5432,two:5432/cms?sslmode=verify-full`. The driver and
 * `URL` know one host only.
 */
const SERVER_URL = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^@/?#]*)(?<after>[/?#].*)?$/;

/** The supported values of `target_session_attrs`: the service needs a server that accepts writes. */
const SESSION_ATTRIBUTES = ['read-write', 'primary'];

/** Where PostgreSQL is, as the address says it. */
export interface ServerAddress {
  /** One address for each host, in order, as the driver takes it. */
  readonly urls: readonly string[];
  /** Hosts and database without the user: for messages. */
  readonly name: string;
  /** Whether connections go through PgBouncer, which pools transactions. */
  readonly pgbouncer: boolean;
}

/**
 * Reads the address of PostgreSQL: a connection URI of libpq, which may have several hosts, and `pgbouncer=true` as
 * Prisma has it.
 *
 * @throws {TypeError} whose message says what is wrong and quotes nothing.
 */
export function parseServerUrl(databaseUrl: string): ServerAddress {
  const { before = '', hosts = '', after = '' } = SERVER_URL.exec(databaseUrl)?.groups ?? {};
  if (before && hasWrongPort(databaseUrl)) throw new TypeError(PORT_ERROR);
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  const isSeveral = urls.length > 1;
  if (!before || !urls.every((url) => URL.canParse(url)) || (isSeveral && hosts.split(',').includes(''))) {
    throw new TypeError('must be an address that begins with postgresql:// or postgres://');
  }
  const { pathname, searchParams } = new URL(urls[0] as string);
  if (isWrongPort(searchParams.get('port'))) throw new TypeError(PORT_ERROR);
  const attributes = searchParams.get('target_session_attrs');
  if (isSeveral && attributes !== null && !SESSION_ATTRIBUTES.includes(attributes)) {
    throw new TypeError(
      `must have target_session_attrs=${SESSION_ATTRIBUTES.join(' or ')}, or none, where hosts are several`,
    );
  }
  return { urls, name: `${hosts}${pathname}`, pgbouncer: searchParams.get('pgbouncer') === 'true' };
}
