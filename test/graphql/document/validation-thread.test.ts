import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { GraphQLScalarType, isSpecifiedScalarType, parseValue } from 'graphql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkDocument } from '../../../src/graphql/document/document-check.ts';
import type { CheckRequest, CheckResult } from '../../../src/graphql/document/validation-messages.ts';
import {
  ValidationThread,
  ValidationThreadError,
  type ValidationWorker,
  validationThreadOf,
} from '../../../src/graphql/document/validation-thread.ts';
import { yogaRules } from '../../../src/graphql/document/yoga.ts';
import { schemaWith } from '../../../src/graphql/schema/federation.ts';
import { STRESSORS } from '../../attacks/stressors.ts';
import { INVALID, TOO_COMPLEX } from '../../support/documents/hostile-documents.ts';
import { WORST_DOCUMENTS } from '../../support/documents/worst-documents.ts';
import { COMPILE_ONCE } from '../../support/processes/child.ts';
import { type ArgumentValues, generatedRequests } from '../reference/documents.ts';

const schema = schemaWith({ federation: false });

/** A literal for each argument, by its type or name; `null` for input objects. */
const LITERALS = new Proxy<ArgumentValues>(
  { Int: ['1'], Boolean: ['true'], String: ['"a"'], ID: ['"a"'], id: ['"a"'] },
  { get: (literals, name: string) => literals[name] ?? ['null'] },
);

/** The nice value of each thread of this process (proc(5), field 19 of `stat`). */
function niceOfThreads(): number[] {
  const folder = '/proc/self/task';
  const stats = readdirSync(folder).map((id) => readFileSync(`${folder}/${id}/stat`, 'utf8'));
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
}

describe('the validation thread', () => {
  const thread = validationThreadOf(schema);

  async function expectSameResult(source: string): Promise<void> {
    const inThread = await thread.check(source).catch((error: Error) => error);
    expect(inThread).toEqual(checkHere(source));
  }

  it.each(Object.entries({ ...STRESSORS, ...INVALID, ...TOO_COMPLEX, ...WORST_DOCUMENTS }))(
    'finds the same errors as the main thread in %s',
    (_name, source) => expectSameResult(source),
  );

  it('finds the same errors as the main thread in generated documents', async () => {
    const changes = fc.tuple(fc.nat(), fc.constantFrom('', 'x', '$', '{', '}', '(first: "a")', '@skip', '1', 'null'));
    const documents = fc
      .tuple(generatedRequests(schema, LITERALS), fc.array(changes, { maxLength: 3 }))
      .map(([requests, changed]) => changed.reduce(changeToken, requests[0]?.query ?? ''));
    await fc.assert(fc.asyncProperty(documents, expectSameResult), { numRuns: 30 });
  });

  it('validates against the schema with federation types', async () => {
    const subgraph = validationThreadOf(schemaWith({ federation: true }));
    const entities = '{ _entities(representations: [{ __typename: "Member", id: "a" }]) { __typename } }';
    expect(await subgraph.check(entities)).toBeUndefined();
    expect(await thread.check(entities)).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux')('has a lower priority than the main thread', async () => {
    await thread.check('{ unknown }');
    expect(Math.max(...niceOfThreads())).toBeGreaterThan(getPriority());
  });

  it('does not keep the process alive', async () => {
    const child = new URL('validation-thread-child.mjs', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [...COMPILE_ONCE, child]);
    expect(stdout).toBe('1 problem\n');
  });
});

describe('custom scalars', () => {
  const scalars = Object.values(schemaWith({ federation: true }).getTypeMap()).filter(
    (type): type is GraphQLScalarType => type instanceof GraphQLScalarType && !isSpecifiedScalarType(type),
  );

  // The thread builds its schema from SDL, in which scalars accept all literals.
  it.each(scalars)('accept all literals in a document: $name', (scalar) => {
    for (const literal of ['1', '1.5', '"a"', 'true', 'A', '[1, "a"]', '{ a: 1 }']) {
      expect(scalar.parseLiteral(parseValue(literal))).toBeDefined();
    }
  });
});

describe('a failing validation thread', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('rejects the current document, and validates the next one in a new thread', async () => {
    const { thread, workers } = controlled();
    const checks = [thread.check('{ a }'), thread.check('{ b }')].map(failureOf);
    workers[0]?.emit('exit', 1);
    const ended = new ValidationThreadError('The validation thread ended unexpectedly');
    expect(await Promise.all(checks)).toEqual([ended, ended]);
    const next = thread.check('{ c }');
    workers[1]?.answer({ problems: [] });
    expect(await next).toEqual([]);
    expect(workers).toHaveLength(2);
  });

  it('rejects with the error of the thread', async () => {
    const { thread, workers } = controlled();
    const check = failureOf(thread.check('{ a }'));
    workers[0]?.emit('error', new Error('out of memory'));
    expect(await check).toEqual(new ValidationThreadError('out of memory'));
  });

  it('is terminated when a document takes longer than the limit', async () => {
    const { thread, workers } = controlled();
    const check = failureOf(thread.check('{ a }'));
    await vi.advanceTimersByTimeAsync(999);
    expect(workers[0]?.isTerminated).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await check).toEqual(new ValidationThreadError('A document was not validated within 1000 ms'));
    expect(workers[0]?.isTerminated).toBe(true);
  });

  it('reports an unexpected error of one document without ending', async () => {
    const { thread, workers } = controlled();
    const check = thread.check('{ a }');
    workers[0]?.answer({ failure: 'RangeError: Maximum call stack size exceeded' });
    await expect(check).rejects.toThrow('Maximum call stack size exceeded');
    expect(workers[0]?.isTerminated).toBe(false);
  });

  it('starts with the first document, and ends after a minute without documents', async () => {
    const { thread, workers } = controlled();
    expect(workers).toHaveLength(0);
    for (const _ of [1, 2]) {
      const check = thread.check('{ a }');
      workers[0]?.answer({});
      expect(await check).toBeUndefined();
      await vi.advanceTimersByTimeAsync(9_999);
    }
    expect(workers[0]?.isTerminated).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([workers[0]?.isTerminated, workers.length]).toEqual([true, 1]);
    void thread.check('{ a }').catch(() => {});
    expect(workers).toHaveLength(2);
  });
});

function checkHere(source: string): unknown {
  try {
    const checked = checkDocument(source, yogaRules(schema));
    return 'kind' in checked ? undefined : checked;
  } catch (error) {
    return error;
  }
}

/** Replaces a name or punctuator of a document, or adds to it. */
function changeToken(source: string, [position, text]: readonly [number, string]): string {
  const tokens = source.split(/(\b|\s+)/);
  const at = position % tokens.length;
  return tokens.with(at, position % 2 ? text : `${tokens[at]}${text}`).join('');
}

function failureOf(check: Promise<unknown>): Promise<unknown> {
  return check.catch((error: Error) => error);
}

/** A worker that is controlled by the test. */
class ControlledWorker extends EventEmitter {
  isTerminated = false;
  private readonly requests: CheckRequest[] = [];

  postMessage(request: CheckRequest): void {
    this.requests.push(request);
  }

  answer(result: Omit<CheckResult, 'id'>): void {
    this.emit('message', { id: this.requests.shift()?.id, ...result });
  }

  unref(): void {}

  async terminate(): Promise<number> {
    this.isTerminated = true;
    this.emit('exit', 1);
    return 1;
  }
}

function controlled() {
  const workers: ControlledWorker[] = [];
  const thread = new ValidationThread(schema, {
    timeLimitMs: 1_000,
    idleMs: 10_000,
    startWorker() {
      const worker = new ControlledWorker();
      workers.push(worker);
      return worker as unknown as ValidationWorker;
    },
  });
  return { thread, workers };
}
