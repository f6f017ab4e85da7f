import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './support/processes/cli.ts';

const ROOT = join(import.meta.dirname, '..');
const MAX_README_LINES = 200;

/** The entity that docs/contributing.md adds, as an example. */
const EXAMPLE_ENTITY = /\/announcements?\.ts$/;

const PAGES = ['README.md', 'test/README.md', ...pagesIn('docs', /\.md$/), ...pagesIn('src', /README\.md$/)];

function pagesIn(folder: string, name: RegExp): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => name.test(file)).map((file) => join(folder, file));
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The text without code blocks and inline code, where links and headings have no meaning. */
function prose(text: string): string {
  return text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/[[\]()#]/g, ''));
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Relative links whose file or anchor does not exist. */
function brokenLinks(page: string, text: string): string[] {
  const targets = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (path !== '' && !existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchorsOf(path === '' ? text : read(file)).has(anchor);
  });
}

/** Paths of this repository that do not exist, in prose or code. */
function missingPaths(text: string): string[] {
  const paths = [...text.matchAll(/(?<![\w./-])(?:src|test|docs)\/[\w./-]*[\w/]/g)].map(([path]) => path);
  return paths.filter((path) => !EXAMPLE_ENTITY.test(path) && !existsSync(join(ROOT, path)));
}

/** Names after `npm run` that are no scripts. */
function unknownScripts(text: string): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const names = [...text.matchAll(/\bnpm run (?:-{1,2}[a-z]+ )*([a-z][\w:-]*)/g)].map(([, name = '']) => name);
  return names.filter((name) => !(name in scripts));
}

/** The arguments of each command of the command line that a page shows. */
function shownCommands(text: string): string[] {
  const ways = /(?:\bnpm run -s cli --|\bdist\/cli\/main\.js|`cms) ([^`#\n]+)/g;
  return [...text.matchAll(ways)].map(([, args = '']) => args.trim());
}

/** Commands that the program does not have, or that have an option which it does not have. */
async function unknownCommands(text: string): Promise<string[]> {
  const unknown: string[] = [];
  for (const command of shownCommands(text)) {
    const args = command.split(/\s+/);
    const end = args.findIndex((word) => !/^[a-z]+$/.test(word));
    const words = args.slice(0, end === -1 ? args.length : end);
    const { out: help } = await runCli({}, ...words, '--help');
    const options = args.filter((word) => /^--[a-z]/.test(word));
    const exists = help.startsWith(['Usage: cms', ...words, ''].join(' '));
    if (!exists || options.some((option) => !new RegExp(`${option}\\b`).test(help))) unknown.push(command);
  }
  return unknown;
}

/** The variables in the table of a page's section "Settings". */
function documentedSettings(text: string): string[] {
  const section = /^## Settings$([\s\S]*?)^## /m.exec(text)?.[1] ?? '';
  const cells = [...section.matchAll(/^\| (`[^|]+)\|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name));
}

/** The variables that src/settings.ts reads: the keys of its schema. */
function settings(): string[] {
  return [...read('src/settings.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name);
}

describe.each(PAGES)('%s', (page) => {
  let text: string;
  beforeAll(() => {
    text = read(page);
  });

  it('links to files and headings that exist', () => {
    expect(brokenLinks(page, text)).toEqual([]);
  });

  it('names paths that exist', () => {
    expect(missingPaths(text)).toEqual([]);
  });

  it('names scripts of package.json', () => {
    expect(unknownScripts(text)).toEqual([]);
  });

  it('shows commands and options of the command line', async () => {
    expect(await unknownCommands(text)).toEqual([]);
  });
});

describe('the tables of settings', () => {
  it.each(['README.md', 'docs/operations.md'])('name only variables that the service reads, in %s', (page) => {
    const documented = documentedSettings(read(page));
    expect(documented.length).toBeGreaterThan(10);
    expect(documented.filter((name) => !settings().includes(name))).toEqual([]);
  });

  it('name every variable that the service reads, in docs/operations.md', () => {
    expect(settings().length).toBeGreaterThan(20);
    const documented = documentedSettings(read('docs/operations.md'));
    expect(settings().filter((name) => !documented.includes(name))).toEqual([]);
  });
});

it(`README.md has at most ${MAX_README_LINES} lines`, () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
});

describe('the checks of pages', () => {
  it('report links to missing files and headings', () => {
    const text = '# One\n[a](missing.md) [b](#one) [c](#two) [d](operations.md#settings) [e](operations.md#nowhere)';
    expect(brokenLinks('docs/page.md', text)).toEqual(['missing.md', '#two', 'operations.md#nowhere']);
  });

  it('report missing paths and scripts', () => {
    expect(missingPaths('`src/main.ts` `src/gate/key.ts` test/support/ `docs/rest.md`.')).toEqual(['src/gate/key.ts']);
    expect(unknownScripts('npm run check; `npm run -s nothing -- --all`')).toEqual(['nothing']);
  });

  it('report commands and options that do not exist', async () => {
    const text = '`cms key list`, `cms key burn`, `cms demo --twice`\nnpm run -s cli -- audit --limit 2 # newest first';
    expect(await unknownCommands(text)).toEqual(['key burn', 'demo --twice']);
  });

  it('find the variables of a table of settings', () => {
    expect(documentedSettings('## Settings\n| `PORT`, `HOST` | `4000` |\n## Next\n| `OTHER` |')).toEqual([
      'PORT',
      'HOST',
    ]);
  });
});
