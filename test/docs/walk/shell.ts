import type { ChildProcess } from 'node:child_process';
import { type Running, start, stop } from './running.ts';

/** Long enough for a busy machine; only commands that never end take as long. */
const MAX_COMMAND_MS = 120_000;

const END = '__END_OF_COMMAND__';

/** A shell that keeps its folder and variables from one command to the next, as that of a reader. */
export class Shell {
  private readonly shell: ChildProcess;
  private output = '';

  constructor(options: Running) {
    this.shell = start('exec bash --noprofile --norc 2>&1', options);
    this.shell.stdout?.on('data', (chunk) => {
      this.output += chunk;
    });
  }

  /** Types a command. @returns its output. @throws if it fails. */
  async type(command: string): Promise<string> {
    this.output = '';
    this.shell.stdin?.write(`${command} </dev/null\necho "${END} $?"\n`);
    const startedAt = Date.now();
    const ending = new RegExp(`${END} (\\d+)\\n`);
    for (;;) {
      const match = ending.exec(this.output);
      const printed = this.output.slice(0, match?.index);
      if (match?.[1] === '0') return printed;
      if (match) throw new Error(`${command}: exit code ${match[1]}: ${printed.slice(-2_000)}`);
      if (this.shell.exitCode !== null || Date.now() - startedAt > MAX_COMMAND_MS)
        throw new Error(`${command}: it did not end: ${printed.slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  close(): Promise<void> {
    return stop(this.shell);
  }
}

/** The commands of a block, one in each line, without comments; a line that ends with a backslash continues. */
export function commandsOf(text: string): string[] {
  return text
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
