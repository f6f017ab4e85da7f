import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as instances from '../../src/cli/instance.ts';
import { runCli } from '../support/processes/cli.ts';

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
  vi.restoreAllMocks();
});

it('an instance whose process cannot be started ends with the reason', async () => {
  process.execPath = '/none/node';
  const { ended, pid, stop } = instances.startInstance('http://127.0.0.1:1', {}, () => {});
  expect(pid).toBeUndefined();
  stop();
  expect(await ended).toBe('could not be started (spawn /none/node ENOENT)');
});

describe('cms instances', () => {
  const stopped: string[] = [];
  beforeEach(() => void stopped.splice(0));

  /** An instance that runs until it is stopped. */
  function running(address: string): instances.Instance {
    let end: () => void = () => {};
    const ended = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    const stop = () => {
      stopped.push(address);
      end();
    };
    return { address, pid: 1, ready: Promise.resolve(), ended, stop };
  }

  const run = () =>
    runCli(
      { DATABASE_URL: 'postgresql://127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1', PORT: '4000' },
      'instances',
      '--count',
      '3',
    );

  it('stops the instances that are running if another one cannot be started', async () => {
    const start = vi.spyOn(instances, 'startInstance').mockImplementation((address) => {
      if (start.mock.calls.length === 3) throw new Error('spawn E2BIG');
      return running(address);
    });
    const { code, err } = await run();
    expect({ code, err }).toEqual({ code: 1, err: 'error: spawn E2BIG\n' });
    expect(stopped).toEqual(['http://127.0.0.1:4000', 'http://127.0.0.1:4001']);
  });
});
