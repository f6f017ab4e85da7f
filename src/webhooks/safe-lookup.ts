import type { LookupAddress } from 'node:dns';
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { mayConnect } from '../domain/webhooks/webhook-url.ts';

/** An address to which deliveries do not connect. The message names no address, because it would disclose internal ones. */
export class RefusedAddressError extends Error {
  constructor() {
    super('the host has an address that is not public');
  }
}

/** Returns all addresses of a host name. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

const DNS_TIMEOUT_MS = 2_000;

/**
 * Asks the DNS servers directly: `dns.lookup` takes one of the four threads of the process for as long as a server does not
 * answer, and four such names would stop everything that needs one.
 */
const resolvePublic: ResolveHost = async (host) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = results.flatMap((result, index) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  const [failure] = results;
  if (addresses.length === 0 && failure.status === 'rejected') throw failure.reason;
  return addresses;
};

/** Also finds the names that only this machine and its network know, such as those in `/etc/hosts`. */
const resolvePrivate: ResolveHost = (host) => systemLookup(host, { all: true });

/** How addresses are resolved and checked. */
export interface LookupOptions {
  readonly isHttps: boolean;
  /** The setting `WEBHOOK_PRIVATE_NETWORKS`. */
  readonly allowsPrivate: boolean;
  readonly resolveHost?: ResolveHost | undefined;
}

/**
 * Creates the `lookup` of a connection, which resolves its host once and refuses it if one of its addresses is not allowed.
 * The connection uses these addresses, so that a name cannot change between the check and the connection.
 */
export function createSafeLookup({ isHttps, allowsPrivate, resolveHost }: LookupOptions): LookupFunction {
  const resolve = resolveHost ?? (allowsPrivate ? resolvePrivate : resolvePublic);
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        const isRefused = addresses.some(({ address }) => !mayConnect(address, isHttps, allowsPrivate));
        if (isRefused || !first) callback(isRefused ? new RefusedAddressError() : new Error('no address'), '');
        else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
