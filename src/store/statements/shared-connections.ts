import { type FairPool, SERVICE } from '../connections/fair-pool.ts';
import type { Abort } from './abort.ts';
import { PendingStatement, type Use } from './pending-statement.ts';
import { StatementBatch } from './statement-batch.ts';

/** How many statements share a connection: with more, the last would wait too long for the first. */
const STATEMENTS_PER_CONNECTION = 8;

/** What is left of the time of a request after its statements, for all else. */
const MARGIN_MS = 200;

/** For whom a statement runs. */
export interface StatementOwner {
  /** An organization's id, or {@link SERVICE}. */
  readonly group: string;
  /** Gives up reads when nobody waits for them any more. */
  readonly abort?: Abort | undefined;
}

/** Runs statements on the connections of a pool whose clients pipeline. */
export interface SharedConnections {
  /** Runs a read, on a connection that others of the same organization and turn of the event loop use too. */
  share<Result>(owner: StatementOwner, use: Use<Result>): Promise<Result>;
  /** Runs a read on a connection of its own. */
  readAlone<Result>(owner: StatementOwner, use: Use<Result>): Promise<Result>;
  /**
   * Runs a write on a connection of its own: no read waits for its locks. It is carried out even if the client that
   * asked for it leaves.
   */
  writeAlone<Result>(owner: StatementOwner, use: Use<Result>): Promise<Result>;
}

/**
 * Lets reads that are asked for in one turn of the event loop share connections: they go out in one write and come
 * back in one read, each standing alone. Under load that saves most of what a round trip costs both sides.
 *
 * Only reads of one organization share a connection, so that none waits for what another organization asks for. The
 * service's own reads, which look up keys, take a connection of any of them, ahead of its other statements: they are
 * short.
 */
export function shareConnections(pool: FairPool): SharedConnections {
  const { connectionTimeoutMillis, query_timeout } = pool.options;
  const totalMs = (connectionTimeoutMillis ?? 0) + (query_timeout ?? 0) - MARGIN_MS;
  const times = { queryMs: query_timeout, totalMs };
  let waiting = new Map<string, PendingStatement[]>();

  const start = (group: string, statements: readonly PendingStatement[]) => {
    // Given up before it was sent: nobody needs a connection.
    if (statements.every(({ isSettled }) => isSettled)) return;
    void new StatementBatch(pool, group, statements, times, (statement) => {
      const again = new PendingStatement((connection) => statement.run(connection), {
        abort: statement.abort,
        isRepeatable: false,
      });
      again.result.then(
        (result) => statement.succeed(result),
        (error) => statement.fail(error),
      );
      start(group, [again]);
    }).run();
  };

  const startAll = () => {
    const groups = waiting;
    waiting = new Map();
    joinService(pool, groups);
    for (const [group, statements] of groups) {
      for (let first = 0; first < statements.length; first += STATEMENTS_PER_CONNECTION) {
        start(group, statements.slice(first, first + STATEMENTS_PER_CONNECTION));
      }
    }
  };

  const runAlone = <Result>(group: string, statement: PendingStatement) => {
    start(group, [statement]);
    return statement.result as Promise<Result>;
  };

  return {
    share<Result>({ group, abort }: StatementOwner, use: Use<Result>) {
      const statement = new PendingStatement(use, { abort, isRepeatable: true });
      if (!statement.isSettled) {
        if (waiting.size === 0) setImmediate(startAll);
        const ofGroup = waiting.get(group);
        if (ofGroup) ofGroup.push(statement);
        else waiting.set(group, [statement]);
      }
      return statement.result as Promise<Result>;
    },
    readAlone: ({ group, abort }, use) => runAlone(group, new PendingStatement(use, { abort, isRepeatable: true })),
    writeAlone: ({ group }, use) => runAlone(group, new PendingStatement(use, { isRepeatable: false })),
  };
}

/** Puts the service's own statements first on a connection that is used anyway, unless it must be waited for. */
function joinService(pool: FairPool, groups: Map<string, PendingStatement[]>): void {
  const own = groups.get(SERVICE);
  if (!own) return;
  for (const [group, statements] of groups) {
    if (group === SERVICE || !pool.hasRoomFor(group)) continue;
    statements.unshift(...own);
    groups.delete(SERVICE);
    return;
  }
}
