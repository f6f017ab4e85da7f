import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { COMPILE_ONCE } from '../support/processes/child.ts';
import { eventually } from '../support/time/eventually.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const SCRIPT = '/usr/bin/script';
const CTRL_C = '\x03';

describe.skipIf(!inject('databaseUrl') || !existsSync(SCRIPT))('the prompt for a password', () => {
  it('ends the command with exit code 130 on Ctrl-C', async () => {
    const node = `exec node ${COMPILE_ONCE.join(' ')}`;
    const command = `${node} '${MAIN}' admin create --organization org_unknown --email ada@example.org`;
    const terminal = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
      env: { ...process.env, DATABASE_URL: inject('databaseUrl') },
    });
    let output = '';
    terminal.stdout.on('data', (chunk) => (output += chunk));
    const exited = once(terminal, 'exit');
    await eventually(() => expect(output).toMatch(/password/i));
    terminal.stdin.write(CTRL_C);
    expect((await exited)[0]).toBe(130);
    expect(output).not.toContain('error');
  });
});
