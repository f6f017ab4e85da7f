import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Where a person or a program types what is not for arguments, which other users of the computer can see. */
export interface PasswordSource {
  /** Whether standard input is a terminal, where people can be asked. */
  readonly terminal: boolean;
  /** Asks on the terminal; what is typed is not shown. */
  ask(question: string): Promise<string>;
  /** The first line of standard input. */
  line(): Promise<string>;
}

/** The password source of this process. */
export const standardInput: PasswordSource = {
  terminal: process.stdin.isTTY === true,
  ask: (question) => readLine(true, () => process.stderr.write(question)).finally(() => process.stderr.write('\n')),
  line: () => readLine(false),
};

/** A terminal shows what readline writes back to it: that goes nowhere. */
function readLine(terminal: boolean, ready = () => {}): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal });
  ready();
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    // Nothing was typed, or Ctrl-C.
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => reject(new Error('no password was given')));
  });
}
