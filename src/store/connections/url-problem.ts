/** The hosts in `scheme://user:secret@host:port,[::1]:port/…`. */
const HOSTS = /^[a-z+]+:\/\/(?:[^/?#]*@)?([^@/?#]*)/i;

/** A port has digits only: other text after a colon can be part of a password with an unescaped `/`. */
const PORT = /:(\d+)$/;

/** What follows the hosts: the path, and the parameters. */
const REST = /^[a-z+]+:\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?/i;

/** The error message for a URL with a port out of range. */
export const PORT_ERROR = 'must have port numbers from 1 to 65535';

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
export function isInvalidPort(port: string | null | undefined): boolean {
  return port != null && /^\d+$/.test(port) && (Number(port) < 1 || Number(port) > 65_535);
}
