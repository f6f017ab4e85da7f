import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';

const RESULTS = new URL('../results/', import.meta.url);
const README = new URL('../../../README.md', import.meta.url);

/** Kinds of results; each has its place in the README, between two comments. */
export type Published = 'ratios' | 'spellings' | 'growth' | 'embedded';

/**
 * Keeps results as `test/bench/results/<kind>.json` (and `.svg`), and shows their table in the README.
 *
 * @param table plain text, as the terminal shows it.
 */
export async function publish(kind: Published, results: object, table: string, svg?: string): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const machine = { cpus: cpus().length, node: process.version };
  await writeFile(new URL(`${kind}.json`, RESULTS), `${JSON.stringify({ machine, ...results })}\n`);
  if (svg) await writeFile(new URL(`${kind}.svg`, RESULTS), svg);
  const readme = await readFile(README, 'utf8');
  const [begin, end] = [`<!-- bench ${kind} -->`, `<!-- end of bench ${kind} -->`];
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`README.md has no place for ${kind}: ${begin} … ${end}`);
  const shown = `${begin}\n\n\`\`\`text\n${table.trimEnd()}\n\`\`\`\n\n`;
  await writeFile(README, readme.slice(0, from) + shown + readme.slice(to));
}
