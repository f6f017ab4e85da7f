import { expect, it } from 'vitest';
import { formatForTerminal } from '../../src/observability/terminal-format.ts';

const line = (fields: object) => formatForTerminal(JSON.stringify({ time: '2026-11-22T12:00:00.000Z', ...fields }));

it('prints a request as one short line', () => {
  const request = { requestId: 'f0', clientAddress: '127.0.0.1', operation: 'GET /v1/tags', status: 200, cost: 1 };
  expect(line({ level: 30, ...request, durationMs: 4.42 })).toBe('12:00:00 GET /v1/tags 200 in 4.42 ms\n');
});

it('prints the level, message and fields of other lines, and the stack of an error', () => {
  expect(line({ level: 40, server: 'db', msg: 'switched' })).toBe('12:00:00 WARN switched server="db"\n');
  const err = { message: 'broken', stack: 'Error: broken\n    at here' };
  expect(line({ level: 50, err, msg: 'request failed' })).toBe('12:00:00 ERROR request failed broken\n    at here\n');
});

it('prints no control characters of an error to the terminal', () => {
  expect(line({ level: 40, err: { message: 'a\u001b[2Jb' }, msg: 'unreachable' })).toBe(
    '12:00:00 WARN unreachable a\\u001b[2Jb\n',
  );
  const stack = 'Error: a\n\u001b[2Jb\n    at here';
  expect(line({ level: 50, err: { message: 'a\n\u001b[2Jb', stack }, msg: 'failed' })).toBe(
    '12:00:00 ERROR failed a\\n\\u001b[2Jb\n\\u001b[2Jb\n    at here\n',
  );
});
