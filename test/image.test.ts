import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** The files that each stage of the Dockerfile copies from the repository; the last stage is the image. */
const stages = read('Dockerfile')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) => [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' ')));

const isWithin = (path: string, folders: readonly string[]) =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Runs worker threads and child processes from TypeScript. */
const DEVELOPMENT_ONLY = '.config/worker-from-source.mjs';

it('copies only existing files that .dockerignore includes', () => {
  const [everything, ...allowed] = read('.dockerignore').trim().split('\n');
  expect(everything).toBe('*');
  const included = allowed.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const source of stages.flat()) {
    expect([source, existsSync(new URL(source, ROOT)), isWithin(source, included)]).toEqual([source, true, true]);
  }
  expect(stages.flat().length).toBeGreaterThan(8);
});

it('contains each file of the repository that the service reads at runtime', () => {
  const sources = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('generated'),
  );
  const files = sources.flatMap((path) => {
    const compiled = new URL(`dist/${path}`, ROOT);
    return [...read(`src/${path}`).matchAll(/new URL\('(\.\.?\/[^']+)', import\.meta\.url\)/g)].map(([, target = '']) =>
      relative(fileURLToPath(ROOT), fileURLToPath(new URL(target, compiled))),
    );
  });
  const copied = [...(stages.at(-1) ?? []), 'dist', 'node_modules'];
  expect(files.filter((file) => !isWithin(file, copied) && file !== DEVELOPMENT_ONLY)).toEqual([]);
  expect(files).toContain('prisma/migrations');
});

it('starts the service like npm start', () => {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
  expect(JSON.parse(command).join(' ')).toBe(JSON.parse(read('package.json')).scripts.start);
});
