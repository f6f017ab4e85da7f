/** The error message for a URL with a port out of range. */
export const PORT_ERROR = 'must have port numbers from 1 to 65535';

/** The hosts in `scheme://user:secret@host:port,[::1]:port/…`. */
const HOSTS = /^[a-z+]+:\/\/(?:[^/?#]*@)?([^@/?#]*)/i;

/** A port has digits only: other text after a colon can be part of a password with an unescaped `/`. */
const PORT = /:(\d+)$/;

/** Whether a host of a URL, which may have several separated by commas, has a port out of range. */
export function hasInvalidPort(address: string): boolean {
  const hosts = HOSTS.exec(address)?.[1] ?? '';
  return hosts.split(',').some((host) => isInvalidPort(PORT.exec(host)?.[1]));
}

/** Whether a port is a number out of range; false if there is none. */
export function isInvalidPort(port: string | null | undefined): boolean {
  return port != null && /^\d+$/.test(port) && (Number(port) < 1 || Number(port) > 65_535);
}
