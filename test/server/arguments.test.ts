import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMPILE_ONCE } from '../support/processes/child.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

function run(...args: string[]) {
  // With settings that are invalid, so that it does not start.
  const env = { PATH: process.env.PATH, PORT: 'none' };
  return spawnSync('node', [...COMPILE_ONCE, MAIN, ...args], { env, encoding: 'utf8' });
}

describe('arguments of the service', () => {
  it('are described by --help, which starts nothing', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Settings are environment variables');
    expect(stdout).toContain('PORT (default: 4000)\n    port to listen on\n');
  });

  it('are rejected with exit code 2', () => {
    const { status, stderr } = run('--port', '80');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: .*--port[\s\S]*--help for all settings/);
  });
});
