import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { Abort } from './abort.ts';

/** What runs a statement. */
export type Connection = Pick<pg.ClientBase, 'query'>;

/** Runs a statement on the connection that it is given. */
export type Use<Result> = (connection: Connection) => Promise<Result>;

export interface PendingOptions {
  /** Gives the statement up. */
  readonly abort?: Abort | undefined;
  /** Whether it may run again if it was cancelled in place of another: so for reads. */
  readonly isRepeatable: boolean;
}

/** A statement whose result somebody waits for, until it is there or given up. */
export class PendingStatement {
  readonly result: Promise<unknown>;
  /** Whether its result is known, or no longer wanted. */
  isSettled = false;
  /** Whether PostgreSQL has answered it: until then it may be running. */
  isAnswered = false;
  readonly isRepeatable: boolean;
  readonly abort: Abort | undefined;
  /** Told when the statement is given up. */
  onGivenUp: (() => void) | undefined;
  // Whoever traces statements finds the request by its asynchronous context.
  private readonly context = new AsyncResource('Statement');
  private readonly aborted = () => this.giveUp(this.abort?.reason as Error);
  private resolve!: (result: unknown) => void;
  private reject!: (error: unknown) => void;

  constructor(
    private readonly use: Use<unknown>,
    { abort, isRepeatable }: PendingOptions,
  ) {
    this.isRepeatable = isRepeatable;
    this.abort = abort;
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    if (abort?.reason) this.giveUp(abort.reason);
    else abort?.addListener(this.aborted);
  }

  /** Sends it. Rejects when it fails, even before it is sent. */
  async run(connection: Connection): Promise<unknown> {
    return this.context.runInAsyncScope(this.use, undefined, connection);
  }

  succeed(result: unknown): void {
    if (this.settle()) this.resolve(result);
  }

  fail(error: unknown): void {
    if (this.settle()) this.reject(error);
  }

  /** Rejects the result now; a statement that runs goes on until it is cancelled. */
  giveUp(reason: Error): void {
    if (this.isSettled) return;
    this.fail(reason);
    this.onGivenUp?.();
  }

  /** Whether it was not settled before. */
  private settle(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.abort?.removeListener(this.aborted);
    return true;
  }
}
