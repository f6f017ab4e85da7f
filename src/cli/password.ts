import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { invalidRequest } from '../domain/core/errors.ts';

/** A source of passwords and keys other than arguments, which other users of the machine can see. */
export interface PasswordSource {
  /** Whether standard input is a terminal, where a prompt is possible. */
  readonly terminal: boolean;
  /** Prompts on the terminal, by default without echo. */
  ask(question: string, isShown?: boolean): Promise<string>;
  /** Reads the first line of standard input. */
  line(): Promise<string>;
}

/** The password source of this process. */
export const standardInput: PasswordSource = {
  terminal: process.stdin.isTTY === true,
  ask: (question, isShown = false) =>
    isShown
      ? readLine(true, process.stderr, (lines) => {
          lines.setPrompt(question);
          lines.prompt();
        })
      : readLine(true, discarded(), () => process.stderr.write(question)).finally(() => process.stderr.write('\n')),
  line: () => readLine(false),
};

/** Reads a line. @param output the stream of the echo, which is discarded by default. */
function readLine(
  terminal: boolean,
  output: NodeJS.WritableStream = discarded(),
  onReady: (lines: Interface) => void = () => {},
): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal });
  onReady(lines);
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    // readline receives Ctrl-C instead of the process while it prompts.
    lines.once('SIGINT', () => {
      lines.removeAllListeners('close').close();
      process.stderr.write('\n');
      process.kill(process.pid, 'SIGINT');
    });
    // The end of the input.
    lines.once('close', () => reject(invalidRequest({ field: 'standard input', message: 'must not be empty' })));
  });
}

function discarded(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
