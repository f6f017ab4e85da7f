/**
 * The address a request is counted by when it has no valid key.
 *
 * @param trustProxy how many proxies append to `X-Forwarded-For`: the N-th entry from the right is what
 *   the outermost of them saw. Entries further left are the client's own words.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: number,
): string {
  const forwarded = trustProxy > 0 ? forwardedFor?.split(',').at(-trustProxy)?.trim() : undefined;
  return (forwarded || socketAddress || 'unknown').replace(/^::ffff:/, '');
}
