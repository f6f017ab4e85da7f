import { createInterface } from 'node:readline';

/**
 * Prints that the script is ready, and then runs a command for each line of input until its end.
 *
 * @param {Record<string, (...values: string[]) => Promise<unknown>>} commands
 */
export async function runCommands(commands) {
  process.stdout.write('"ready"\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const [command, ...values] = JSON.parse(line);
    const result = await commands[command]?.(...values).catch((error) => error.message);
    process.stdout.write(`${JSON.stringify(result ?? null)}\n`);
  }
  process.exit();
}
