import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { isInvalidPort, PORT_ERROR, problemOfUrl } from './url-problem.ts';

/**
 * The parts of a URL such as `postgresql://user:secret@one:5432,two:5432/cms?sslmode=verify-full`. The driver and `URL`
 * support only one host.
 */
const SERVER_URL = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^@/?#]*)(?<after>[/?#].*)?$/;

/** Libpq's parameters whose value may contain `@`. */
const PARAMETERS_WITH_AT = [
  'user',
  'password',
  'host',
  'dbname',
  'options',
  'application_name',
  'sslcert',
  'sslkey',
  'sslrootcert',
];

/** The supported values of `target_session_attrs`: the service needs a server that accepts writes. */
const SESSION_ATTRIBUTES = ['read-write', 'primary'];

/** A parsed server URL. */
export interface ServerAddress {
  /** The driver's configuration for each host, in order. */
  readonly servers: readonly pg.ClientConfig[];
  /** Hosts and database without the user, for messages. */
  readonly name: string;
  /** Whether connections go through PgBouncer in transaction mode. */
  readonly pgbouncer: boolean;
}

/**
 * Parses a libpq connection URI, which may have several hosts, with Prisma's parameter `pgbouncer=true`. Reads the
 * certificate files that it names.
 *
 * @throws {TypeError} with a message that does not quote the URL.
 */
export function parseServerUrl(databaseUrl: string): ServerAddress {
  const problem = problemOfUrl(databaseUrl, PARAMETERS_WITH_AT);
  if (problem) throw new TypeError(problem);
  const { before = '', hosts = '', after = '' } = SERVER_URL.exec(databaseUrl)?.groups ?? {};
  const urls = hosts.split(',').map((host) => `${escapeAsWritten(before)}${host}${escapeAsWritten(after)}`);
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
  return {
    servers: urls.map(clientConfig),
    name: `${hosts}${pathname}`,
    pgbouncer: searchParams.get('pgbouncer') === 'true',
  };
}

/** Escapes spaces, and percent signs that escape nothing: the driver escapes them too, but with these also `%2F`. */
function escapeAsWritten(url: string): string {
  return url.replaceAll(' ', '%20').replaceAll(/%(?![0-9a-f]{2})/gi, '%25');
}

function clientConfig(url: string): pg.ClientConfig {
  try {
    // A copy, because the object of the library has no prototype.
    return { ...parseIntoClientConfig(url) };
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw new TypeError(
      syscall ? `must name certificate files that can be read (${message})` : `must be a valid URL (${message})`,
    );
  }
}
