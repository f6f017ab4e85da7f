import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';

const RESULTS = new URL('../results/', import.meta.url);
const PAGE = new URL('../README.md', import.meta.url);

/** Kinds of results. Each has a table in test/bench/README.md between two comments. */
export type Published = 'organizations' | 'organization';

/**
 * Stores results as `test/bench/results/<kind>.json`, and updates their table in test/bench/README.md.
 *
 * @param table plain text, as printed to the terminal.
 */
export async function publish(kind: Published, results: object, table: string): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const machine = { cpus: cpus().length, node: process.version };
  await writeFile(new URL(`${kind}.json`, RESULTS), `${JSON.stringify({ machine, ...results })}\n`);
  const page = await readFile(PAGE, 'utf8');
  const [begin, end] = [`<!-- bench ${kind} -->`, `<!-- end of bench ${kind} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`test/bench/README.md has no place for ${kind}: ${begin} … ${end}`);
  const shown = `${begin}\n\n\`\`\`text\n${table.trimEnd()}\n\`\`\`\n\n`;
  await writeFile(PAGE, page.slice(0, from) + shown + page.slice(to));
}
