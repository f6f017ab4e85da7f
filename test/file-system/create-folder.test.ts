import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createFolder } from '../../src/file-system/create-folder.ts';
import { temporaryStores } from '../support/stores/directories.ts';

const { folder: newFolder } = temporaryStores();
let directory: string;
beforeAll(async () => {
  directory = await newFolder();
});

it('creates a folder with its parents, and accepts an existing one', async () => {
  const folder = join(directory, 'a', 'b', 'c');
  await createFolder(folder, 0o700);
  await createFolder(folder, 0o700);
  for (const path of [folder, join(directory, 'a')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
});

it('accepts a link to a folder', async () => {
  await mkdir(join(directory, 'target'));
  await symlink('target', join(directory, 'link'));
  await createFolder(join(directory, 'link', 'inner'));
  expect((await stat(join(directory, 'target', 'inner'))).isDirectory()).toBe(true);
});

it('creates the same folder concurrently', async () => {
  const folder = join(directory, 'concurrent', 'inner');
  await Promise.all(Array.from({ length: 8 }, () => createFolder(folder)));
  expect((await stat(folder)).isDirectory()).toBe(true);
});

it('fails where a file is in the way', async () => {
  const file = join(directory, 'file');
  await writeFile(file, '');
  await expect(createFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(createFolder(join(file, 'inner'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});
