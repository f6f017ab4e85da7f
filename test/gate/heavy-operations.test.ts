import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import { HeavyOperations } from '../../src/gate/heavy-operations.ts';
import { Abort } from '../../src/store/abort.ts';

/** The next operation starts in a later turn of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('heavy operations', () => {
  let over = new Abort();
  beforeEach(() => {
    over = new Abort();
  });
  afterEach(() => over.abort(new Error('the test is over')));

  /** Starts operations that end when they are told, and notes the order in which they start. */
  function operations() {
    const heavy = new HeavyOperations();
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const start = (organization: string, name: string, abort = over) =>
      heavy.run(organization, abort, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const end = async (name: string) => {
      await turns();
      ends.get(name)?.();
      await turns();
    };
    return { started, start, end };
  }

  it('are carried out two at a time', async () => {
    const { started, start, end } = operations();
    for (const name of ['1', '2', '3']) start('a', name).catch(() => {});
    await turns();
    expect(started).toEqual(['1', '2']);
    await end('1');
    expect(started).toEqual(['1', '2', '3']);
  });

  it('of another organization come before more of the same', async () => {
    const { started, start, end } = operations();
    for (const name of ['a1', 'a2', 'a3', 'a4']) start('a', name).catch(() => {});
    start('b', 'b1').catch(() => {});
    await end('a1');
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('are not carried out once they are aborted while they wait', async () => {
    const { started, start, end } = operations();
    const abort = new Abort();
    for (const name of ['1', '2']) start('a', name).catch(() => {});
    const waiting = start('a', '3', abort);
    abort.abort(new ServiceError('unavailable', 'The client closed its connection'));
    await expect(waiting).rejects.toThrow('The client closed its connection');
    await end('1');
    expect(started).toEqual(['1', '2']);
  });
});
