import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isStorable } from '../values/text.ts';

/** The URL of a webhook. */
const MAX_URL_CHARACTERS = 2_048;

/** Addresses that no router of the internet forwards, and that `WEBHOOK_PRIVATE_NETWORKS=on` allows. */
const PRIVATE_RANGES = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'];

/** The part of IPv6 that is assigned to the internet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether a delivery may connect to an IP address: to public ones by https, and to private ones if the operator allows it.
 * Never to special addresses, such as those that contain others (mapped, 6to4, NAT64, Teredo), link-local ones, among which
 * are those of the metadata of cloud machines, and multicast.
 *
 * @param allowsPrivate the setting `WEBHOOK_PRIVATE_NETWORKS`.
 */
export function mayConnect(address: string, isHttps: boolean, allowsPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (PRIVATE_RANGES.includes(range)) return allowsPrivate;
  const isAssigned = parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
  return isHttps && range === 'unicast' && isAssigned;
}

/** Returns the IP address that is the host of a URL; undefined if the host is a name. */
export function addressOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) ? host : undefined;
}

/**
 * The URL of a webhook, as it is stored. Names are not resolved: each delivery checks the addresses that it connects to.
 *
 * @param allowsPrivate the setting `WEBHOOK_PRIVATE_NETWORKS`.
 */
export function webhookUrl(allowsPrivate: boolean) {
  const schemes = allowsPrivate ? 'https:// or http://' : 'https://';
  return z.string({ error: 'must be a string' }).transform((text, { addIssue }) => {
    const problem = (message: string) => {
      addIssue(message);
      return z.NEVER;
    };
    if (text.length > MAX_URL_CHARACTERS) return problem(`must be at most ${MAX_URL_CHARACTERS} characters`);
    if (!isStorable(text) || !URL.canParse(text)) return problem(`must be a URL that starts with ${schemes}`);
    const url = new URL(text);
    const isHttps = url.protocol === 'https:';
    if (!isHttps && !(allowsPrivate && url.protocol === 'http:')) return problem(`must start with ${schemes}`);
    if (url.username !== '' || url.password !== '') return problem('must not contain a user name or password');
    const address = addressOf(url);
    if (address !== undefined && !mayConnect(address, isHttps, allowsPrivate)) {
      return problem(
        isHttps ? 'must have a public address' : 'must start with https://, because its address is not private',
      );
    }
    return url.href;
  });
}
