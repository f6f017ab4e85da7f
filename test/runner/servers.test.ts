import { describe, expect, it } from 'vitest';
import { connectToServers } from '../support/servers/reachable.ts';

const refused = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
const late = () => Promise.reject(new Error('timeout expired'));
const answers = () => Promise.resolve();

const outcome = async (
  connect: { one: () => Promise<void>; two: () => Promise<void> },
  env: NodeJS.ProcessEnv = {},
) => {
  const reports: string[] = [];
  const server = (name: 'one' | 'two') => ({
    name,
    variable: `TEST_${name.toUpperCase()}`,
    defaultUrl: `${name}://default`,
    connect: connect[name],
  });
  const found = connectToServers({ one: server('one'), two: server('two') }, env, (line) => reports.push(line));
  return found.then(
    (urls) => ({ urls: { ...urls }, reports }),
    (error: Error) => error.message,
  );
};

describe('the servers of the tests', () => {
  it('are used if both answer', async () => {
    const set = { TEST_TWO: 'two://set' };
    expect(await outcome({ one: answers, two: answers }, set)).toEqual({
      urls: { one: 'one://default', two: 'two://set' },
      reports: [],
    });
  });

  it('are skipped, with a message, on a machine that has neither', async () => {
    expect(await outcome({ one: refused, two: refused })).toEqual({
      urls: { one: undefined, two: undefined },
      reports: [expect.stringContaining('skipped')],
    });
  });

  it('are not contacted if TEST_SERVERS is none', async () => {
    expect(await outcome({ one: late, two: answers }, { TEST_SERVERS: 'none' })).toEqual({
      urls: { one: undefined, two: undefined },
      reports: [expect.stringContaining('skipped')],
    });
  });

  it.each([
    ['one answers too late', { one: late, two: refused }, {}],
    ['the other one is running', { one: refused, two: answers }, {}],
    ['its address is set', { one: refused, two: refused }, { TEST_ONE: 'one://set' }],
    ['both are required', { one: refused, two: refused }, { TEST_SERVERS: 'required' }],
  ])('are an error if %s', async (_case, connect, env) => {
    expect(await outcome(connect, env)).toMatch(/^one at one:\/\/\w+ \(TEST_ONE\): .*[\s\S]*TEST_SERVERS=none/);
  });
});
