import type { Context } from '../core/context.ts';
import type { Scope } from '../core/scopes.ts';
import { WatchEndedError } from './watch.ts';

/** What {@link waitForChanges} waits for. */
interface Wait<Page> {
  /** The empty page that was read. */
  readonly page: Page;
  /** Reads the page again. */
  readonly read: () => Promise<Page>;
  readonly seconds: number;
}

/** The parts of a page of the feed that are needed here. */
interface AwaitedPage {
  readonly edges: readonly unknown[];
  readonly lastNumber: string;
}

/**
 * Waits until a page has changes.
 *
 * @param scopes the scopes that the page needs.
 * @returns the last page that was read, which is empty if the time is over, the service stops or too many requests wait.
 * @throws {ServiceError} if the key is revoked, expires or loses a scope meanwhile.
 */
export async function waitForChanges<Page extends AwaitedPage>(
  { changeWatch, caller, abort }: Context,
  scopes: readonly Scope[],
  { page: empty, read, seconds }: Wait<Page>,
): Promise<Page> {
  const watch = changeWatch?.startWaiting(caller, scopes);
  if (!watch) return empty;
  const close = () => watch.close();
  abort?.addListener(close);
  const deadline = performance.now() + seconds * 1_000;
  let page = empty;
  try {
    while (page.edges.length === 0 && (await watch.changed(page.lastNumber, deadline - performance.now())))
      page = await read();
  } catch (error) {
    if (!(error instanceof WatchEndedError)) throw error;
  } finally {
    abort?.removeListener(close);
    watch.close();
  }
  return page;
}
