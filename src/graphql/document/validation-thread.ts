import { Worker } from 'node:worker_threads';
import { type GraphQLSchema, printSchema } from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import { workerEntry } from '../../processes/worker-entry.ts';
import { queryTooComplex } from '../operation/limits.ts';
import type { DocumentProblem } from './document-check.ts';
import type { CheckRequest, CheckResult, ValidationWorkerData } from './validation-messages.ts';

/** The maximum time for a document, including the start of the thread. The longest documents take 100 ms. */
const TIME_LIMIT_MS = 5_000;

/** How long an unused thread is kept. */
const IDLE_MS = 60_000;

/** The memory limits of the thread: several times what the longest documents need. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** Thrown if the validation thread failed or took too long; the document may be valid. */
export class ValidationThreadError extends Error {
  override name = 'ValidationThreadError';
}

/** The parts of a `Worker` that are used. */
export type ValidationWorker = Pick<Worker, 'on' | 'postMessage' | 'terminate' | 'unref'>;

/** Options for tests. */
export interface ValidationThreadOptions {
  readonly startWorker?: (workerData: ValidationWorkerData) => ValidationWorker;
  readonly timeLimitMs?: number;
  readonly idleMs?: number;
}

interface PendingCheck {
  resolve(problems: readonly DocumentProblem[] | undefined): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Validates documents in a worker thread, which is started for the first document and ended when it is idle. If it fails,
 * the next document starts a new one. It never keeps the process alive.
 */
export class ValidationThread {
  private readonly sdl: string;
  private readonly pending = new Map<number, PendingCheck>();
  private worker: ValidationWorker | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private lastId = 0;

  constructor(
    schema: GraphQLSchema,
    private readonly options: ValidationThreadOptions = {},
  ) {
    this.sdl = printSchema(schema);
  }

  /**
   * Validates a document.
   *
   * @returns undefined if the document is valid, otherwise its problems.
   * @throws {ServiceError} `query_too_complex`.
   * @throws {ValidationThreadError} if the thread ends or takes too long.
   * @throws {Error} if validation fails with an unexpected error.
   */
  check(source: string): Promise<readonly DocumentProblem[] | undefined> {
    clearTimeout(this.idleTimer);
    this.worker ??= this.start();
    const { worker } = this;
    const request: CheckRequest = { id: ++this.lastId, source };
    return new Promise((resolve, reject) => {
      const { timeLimitMs = TIME_LIMIT_MS } = this.options;
      const onTimeout = () => this.fail(worker, `A document was not validated within ${timeLimitMs} ms`);
      this.pending.set(request.id, { resolve, reject, timer: setTimeout(onTimeout, timeLimitMs) });
      worker.postMessage(request);
    });
  }

  private start(): ValidationWorker {
    const worker = (this.options.startWorker ?? startWorker)({ sdl: this.sdl });
    worker.on('message', (result: CheckResult) => this.settle(result));
    worker.on('error', (error: Error) => this.fail(worker, error.message));
    worker.on('exit', () => this.fail(worker, 'The validation thread ended unexpectedly'));
    // Called after the listeners are added, because adding a listener for messages calls `ref()`.
    worker.unref();
    return worker;
  }

  private settle({ id, problems, tooComplex, failure }: CheckResult): void {
    const check = this.pending.get(id);
    if (!check) return;
    clearTimeout(check.timer);
    this.pending.delete(id);
    if (tooComplex !== undefined) check.reject(queryTooComplex(tooComplex));
    else if (failure !== undefined) check.reject(new Error(failure));
    else check.resolve(problems);
    if (this.pending.size === 0) this.endWhenIdle();
  }

  private fail(worker: ValidationWorker, reason: string): void {
    if (worker !== this.worker) return;
    this.worker = undefined;
    void worker.terminate();
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(new ValidationThreadError(reason));
    }
    this.pending.clear();
  }

  private endWhenIdle(): void {
    this.idleTimer = setTimeout(() => {
      const { worker } = this;
      this.worker = undefined;
      void worker?.terminate();
    }, this.options.idleMs ?? IDLE_MS).unref();
  }
}

/** The validation thread of a schema: one per process, shared by all apps. */
export const validationThreadOf = memoize((schema: GraphQLSchema) => new ValidationThread(schema));

function startWorker(workerData: ValidationWorkerData): Worker {
  const { file, argv } = workerEntry('./validation-worker', import.meta.url);
  return new Worker(file, { workerData, argv, resourceLimits: RESOURCE_LIMITS });
}
