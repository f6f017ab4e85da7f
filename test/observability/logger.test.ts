import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { times } from '../support/data.ts';

const LOGGER = new URL('../../dist/observability/logger.js', import.meta.url).href;

/** The log lines of a process that has ended. */
function linesOf(script: string): Record<string, unknown>[] {
  const program = `import { createLogger } from ${JSON.stringify(LOGGER)}; const log = createLogger('info'); ${script}`;
  const { stdout } = spawnSync('node', ['--input-type=module', '-e', program]);
  const lines = stdout.toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

describe('the log', () => {
  it.each([
    ['throws', `throw new Error('by a test');`],
    ['is killed after a fatal line', `log.fatal({ line: 500 }); process.kill(process.pid, 'SIGKILL');`],
  ])('is complete when the process %s', (_how, end) => {
    const lines = linesOf(`for (let line = 0; line < 500; line++) log.info({ line }); ${end}`);
    expect(lines.slice(0, 500).map(({ line }) => line)).toEqual(times(500, (line) => line));
    expect(lines[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});
