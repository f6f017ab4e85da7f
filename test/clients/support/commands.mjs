// Runs commands of the service's command line, one per line of standard input (its arguments in JSON), and prints
// one line for each. One process runs all of them, since loading the service takes longer than a command.
import { createInterface } from 'node:readline';
import { run } from '../../../src/cli/run.ts';

for await (const line of createInterface({ input: process.stdin })) {
  let printed = '';
  const write = (text) => {
    printed += text;
  };
  const world = {
    environment: process.env,
    terminal: false,
    version: '',
    out: async (text) => write(text),
    err: write,
  };
  const code = await run(['--json', ...JSON.parse(line)], world);
  console.log(JSON.stringify({ code, printed }));
}
