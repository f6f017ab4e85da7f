import { type FairPool, SERVICE } from '../connections/fair-pool.ts';
import type { Abort } from './abort.ts';
import { PendingStatement, type RunOnConnection } from './pending-statement.ts';
import { StatementBatch } from './statement-batch.ts';

/** The maximum number of statements that share a connection; with more, the last would wait too long. */
const MAX_STATEMENTS_PER_CONNECTION = 8;

/** The time that a request needs in addition to its statements. */
const MARGIN_MS = 200;

/** The owner of a statement. */
export interface StatementOwner {
  /** An organization's id, or {@link SERVICE}. */
  readonly group: string;
  /** Cancels reads whose result is no longer needed. */
  readonly abort?: Abort | undefined;
}

/** Runs statements on the connections of a pool. */
export interface StatementRunner {
  /** Runs a read on a connection that it may share with other reads. */
  runSharedRead<Result>(owner: StatementOwner, runOn: RunOnConnection<Result>): Promise<Result>;
  /** Runs a read on a separate connection. */
  runRead<Result>(owner: StatementOwner, runOn: RunOnConnection<Result>): Promise<Result>;
  /**
   * Runs a write on a separate connection, so that no read waits for its locks. It is completed even if its request is
   * aborted.
   */
  runWrite<Result>(owner: StatementOwner, runOn: RunOnConnection<Result>): Promise<Result>;
}

/**
 * Creates a runner with which the shared reads of one turn of the event loop share connections: they are pipelined in
 * one write. An error of one does not affect the others, but all share one time limit. Under load, this saves most of
 * the cost of round trips.
 *
 * Only reads of the same organization share a connection, so that none waits for another organization. The service's
 * own reads (key lookups) are short, and are sent first on any of these connections.
 */
export function createStatementRunner(pool: FairPool): StatementRunner {
  const { connectionTimeoutMillis, query_timeout } = pool.options;
  const totalMs = (connectionTimeoutMillis ?? 0) + (query_timeout ?? 0) - MARGIN_MS;
  let waiting = new Map<string, PendingStatement[]>();

  /** A repeated statement keeps its deadline. */
  const start = (group: string, statements: readonly PendingStatement[], deadline = performance.now() + totalMs) => {
    // All were aborted before they were sent.
    if (statements.every(({ isSettled }) => isSettled)) return;
    void new StatementBatch(pool, group, statements, { queryMs: query_timeout, deadline }, (statement) => {
      const retried = new PendingStatement((connection) => statement.run(connection), {
        abort: statement.abort,
        isRepeatable: false,
      });
      retried.result.then(
        (result) => statement.succeed(result),
        (error) => statement.fail(error),
      );
      start(group, [retried], deadline);
    }).run();
  };

  const startAll = () => {
    const groups = waiting;
    waiting = new Map();
    prioritizeService(pool, groups);
    for (const [group, statements] of groups) {
      for (let index = 0; index < statements.length; index += MAX_STATEMENTS_PER_CONNECTION) {
        start(group, statements.slice(index, index + MAX_STATEMENTS_PER_CONNECTION));
      }
    }
  };

  const runAlone = <Result>(group: string, statement: PendingStatement) => {
    start(group, [statement]);
    return statement.result as Promise<Result>;
  };

  return {
    runSharedRead<Result>({ group, abort }: StatementOwner, runOn: RunOnConnection<Result>) {
      const statement = new PendingStatement(runOn, { abort, isRepeatable: true });
      if (!statement.isSettled) {
        if (waiting.size === 0) setImmediate(startAll);
        const waitingOfGroup = waiting.get(group);
        if (waitingOfGroup) waitingOfGroup.push(statement);
        else waiting.set(group, [statement]);
      }
      return statement.result as Promise<Result>;
    },
    runRead: ({ group, abort }, runOn) => runAlone(group, new PendingStatement(runOn, { abort, isRepeatable: true })),
    runWrite: ({ group }, runOn) => runAlone(group, new PendingStatement(runOn, { isRepeatable: false })),
  };
}

/** Puts the service's own statements first on another group's connection, unless that group has to wait for one. */
function prioritizeService(pool: FairPool, groups: Map<string, PendingStatement[]>): void {
  const serviceStatements = groups.get(SERVICE);
  if (!serviceStatements) return;
  for (const [group, statements] of groups) {
    if (group === SERVICE || !pool.hasFreeConnectionFor(group)) continue;
    statements.unshift(...serviceStatements);
    groups.delete(SERVICE);
    return;
  }
}
