import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCli } from '../support/processes/cli.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** The names of all commands, with those of their subcommands, as the help lists them. */
async function commandNames(...group: string[]): Promise<string[]> {
  const { code, out, err } = await runCli({}, ...group, '--help');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(out) ?? [];
  const names = [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  const nested = await Promise.all(names.map((name) => commandNames(...group, name)));
  return names.flatMap((name, index) => {
    const below = nested[index] ?? [];
    return below.length > 0 ? below : [[...group, name].join(' ')];
  });
}

const names = await commandNames();

it('the help lists every command', () => {
  expect(names.length).toBeGreaterThan(20);
});

it.each(names)('the help of "%s" has an example, and names it as it is run in a checkout', async (name) => {
  const { out } = await runCli({}, ...name.split(' '), '--help');
  expect(out).toMatch(new RegExp(`^Usage: \\./cms ${name} `));
  expect(out).toContain('--json');
  expect(out).toMatch(new RegExp(`^  \\$ (?:[A-Z_]+=\\S+ )*\\./cms ${name}(?: |$)`, 'm'));
});

it('every text of the program names commands as they are run in a checkout', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const wrong = files.flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const groups = [...new Set(names.map((name) => name.split(' ')[0]))].join('|');
    return [...text.matchAll(new RegExp(`(?<!\\./)\\bcms (?:${groups})\\b`, 'g'))].map(
      ([command]) => `${file}: ${command}`,
    );
  });
  expect(wrong).toEqual([]);
});
