import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const LOGGER = new URL('../../dist/observability/logger.js', import.meta.url).href;

/** The log lines of a process that has ended. */
function linesOf(script: string): Record<string, unknown>[] {
  const program = `import { createLogger } from ${JSON.stringify(LOGGER)}; const log = createLogger('info'); ${script}`;
  const { stdout } = spawnSync('node', ['--input-type=module', '-e', program]);
  const lines = stdout.toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

describe('the log', () => {
  it('has a time in milliseconds on each line', () => {
    const before = Date.now();
    const [first, second] = linesOf(`log.info('one'); setTimeout(() => log.info('two'), 20);`);
    const times = [first, second].map((line) => Date.parse(String(line?.time)));
    expect(times[0]).toBeGreaterThanOrEqual(before);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(19);
    expect(first?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([
    ['ends normally', ''],
    ['exits immediately', 'process.exit(0);'],
    ['throws', `throw new Error('by a test');`],
  ])('is complete when the process %s', (_how, end) => {
    const lines = linesOf(`for (let line = 0; line < 500; line++) log.info({ line }); ${end}`);
    expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 500 }, (_, line) => line));
  });

  it('is complete after a fatal line', () => {
    const lines = linesOf(
      `for (let line = 0; line < 300; line++) log.info('one'); log.fatal('two'); process.kill(process.pid, 'SIGKILL');`,
    );
    expect(lines.map(({ msg }) => msg)).toEqual([...Array(300).fill('one'), 'two']);
  });
});
