import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resolveLinks } from '../../src/file-system/resolve-links.ts';

let directory: string;
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'resolve-links-')));
  await mkdir(join(directory, 'disk'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const link = async (name: string, target: string): Promise<string> => {
  await symlink(target, join(directory, name));
  return join(directory, name);
};

it('returns a file that is not a link, and one that does not exist, unchanged', async () => {
  const file = join(directory, 'file');
  expect(await resolveLinks(file)).toBe(file);
  await writeFile(file, '');
  expect(await resolveLinks(file)).toBe(file);
});

it('follows several links to a file', async () => {
  await writeFile(join(directory, 'disk', 'target'), '');
  await link('first', 'disk/target');
  expect(await resolveLinks(await link('second', 'first'))).toBe(join(directory, 'disk', 'target'));
});

it('follows links to a file that does not exist yet, relative to the real folder', async () => {
  await link('folder', 'disk');
  await link('disk/up', '../missing');
  expect(await resolveLinks(join(directory, 'folder', 'up'))).toBe(join(directory, 'missing'));
});

it('leaves a linked folder for its real parent', async () => {
  await mkdir(join(directory, 'disk', 'deep'));
  await link('shortcut', 'disk/deep');
  expect(await resolveLinks(await link('out', 'shortcut/../absent'))).toBe(join(directory, 'disk', 'absent'));
});

it('refuses a cycle', async () => {
  await link('there', 'back');
  await expect(resolveLinks(await link('back', 'there'))).rejects.toMatchObject({ code: 'ELOOP' });
});
