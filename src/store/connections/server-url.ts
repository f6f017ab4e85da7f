import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';

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

/** The hosts in `scheme://user:secret@host:port,[::1]:port/…`. */
const HOSTS = /^[a-z+]+:\/\/(?:[^/?#]*@)?([^@/?#]*)/i;

/** A port has digits only: other text after a colon can be part of a password with an unescaped `/`. */
const PORT = /:(\d+)$/;

/** What follows the hosts: the path, and the parameters. */
const REST = /^[a-z+]+:\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?/i;

/** The error message for a URL with a port out of range. */
const PORT_ERROR = 'must have port numbers from 1 to 65535';

/**
 * Returns the error message for what often makes a URL of a server invalid, or lead to another server; undefined if nothing
 * does. It does not quote the URL.
 *
 * @param parameters the parameters whose value may contain `@`.
 */
export function problemOfUrl(url: string, parameters: readonly string[] = []): string | undefined {
  if (hasControlCharacter(url)) return 'must not contain line breaks, tabs or other control characters';
  if (/^(['"]).*\1$/.test(url)) return 'must not be in quotes, which are part of the value here';
  const character = unescapedCharacter(url, parameters);
  if (character !== undefined) {
    return `must have ${encodeURIComponent(character)} instead of ${character} in its user name or password`;
  }
  const hosts = HOSTS.exec(url)?.[1] ?? '';
  return hosts.split(',').some((host) => isInvalidPort(PORT.exec(host)?.[1])) ? PORT_ERROR : undefined;
}

/** Whether text has a character that the parser of URLs, and many programs, remove without a message. */
export function hasControlCharacter(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are searched for
  return /[\u0000-\u001f\u007f]/.test(text);
}

/** Finds a `#`, `/` or `?` in a user name or password: it ends the hosts, so that `@` is in what follows. */
function unescapedCharacter(url: string, parameters: readonly string[]): string | undefined {
  if (/^https?:/i.test(url)) return undefined;
  if (url.includes('#')) return '#';
  const [, path = '', query = ''] = REST.exec(url) ?? [];
  if (path.includes('@')) return '/';
  const isInQuery = (parameter: string) =>
    parameter.includes('@') && !parameters.includes(parameter.split('=', 1)[0] as string);
  return query.split('&').some(isInQuery) ? '?' : undefined;
}

/** Whether a port is a number out of range; false if there is none. */
function isInvalidPort(port: string | null | undefined): boolean {
  return port != null && /^\d+$/.test(port) && (Number(port) < 1 || Number(port) > 65_535);
}
