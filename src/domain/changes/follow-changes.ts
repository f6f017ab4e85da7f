import { isStoreUnavailable } from '../../store/errors.ts';
import type { Context, Watch } from '../core/context.ts';
import { MAX_PAGE_SIZE } from '../lists/page.ts';
import { type ChangePage, listChanges } from './changes.ts';

/** The arguments of the feed, not validated. */
interface FollowInput {
  readonly after?: unknown;
  readonly resources?: unknown;
}

/**
 * Follows the feed from a cursor on: returns its pages, and waits for further ones. While the database is unavailable, it
 * waits too.
 *
 * @param watch the watch of the caller, which ends it.
 * @returns the pages with changes, after the first page has been read.
 * @throws {ServiceError} the errors of {@link listChanges}; later (from the iterator) the reason of the watch's abort.
 */
export async function followChanges(
  context: Context,
  watch: Watch,
  { after, resources }: FollowInput,
): Promise<AsyncIterator<ChangePage>> {
  const read = (cursor: unknown) => listChanges(context, { first: MAX_PAGE_SIZE, after: cursor, resources });
  return new FollowedChanges(watch, read, await read(after));
}

/** Not a generator: its frame would keep the last page in memory while it waits. */
class FollowedChanges implements AsyncIterator<ChangePage> {
  private cursor: unknown;
  /** The number of the counter when the last page was read; undefined if there were more changes. */
  private seen: string | undefined;

  /** @param first the first page, which was read already. */
  constructor(
    private readonly watch: Watch,
    private readonly read: (cursor: unknown) => Promise<ChangePage>,
    private first: ChangePage | undefined,
  ) {}

  async next(): Promise<IteratorResult<ChangePage, undefined>> {
    const { abort } = this.watch;
    for (;;) {
      if (abort.reason) throw abort.reason;
      if (this.seen !== undefined) await this.watch.changed(this.seen);
      const page = this.first ?? (await whenAvailable(this.watch, () => this.read(this.cursor)));
      this.first = undefined;
      this.cursor = page.nextCursor;
      this.seen = page.hasMore ? undefined : page.lastNumber;
      if (page.edges.length > 0) return { value: page, done: false };
    }
  }
}

/** Runs a read again each time the database has answered again, as long as it is unavailable. */
async function whenAvailable<Result>(watch: Watch, read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      await watch.changed();
    }
  }
}
