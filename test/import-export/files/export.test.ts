import { lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { exportRecords } from '../../../src/import-export/files/export.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';
import { temporaryStores } from '../../support/stores/directories.ts';
import { exportText } from '../imports.ts';

/** A pool whose connection breaks when the first records are fetched. */
function poolThatLosesItsConnection(): pg.Pool {
  const query = async ({ text }: { text: string }) => {
    if (!text.startsWith('FETCH')) return { rows: [] };
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
  };
  const client = { query, on: () => {}, off: () => {}, release: () => {} };
  return { connect: async () => client } as unknown as pg.Pool;
}

onOneStore((service) => {
  const { folder } = temporaryStores();

  const organizationWith = async (tags: number): Promise<string> => {
    const { id } = await service.organization();
    await manyOf(service, id).tags(tags);
    return id;
  };
  const exportInto = (target: string, organizationId: string, onProgress = () => {}) =>
    exportRecords({
      pool: service.store.pool,
      organizationId,
      resources: ['tags', 'events'],
      format: 'ndjson',
      folder: target,
      onProgress,
    });

  it('writes each file from a single run if several export to one folder concurrently', async () => {
    const target = await folder();
    const organizations = await Promise.all([600, 550, 1].map(organizationWith));
    const runs = await Promise.all(organizations.map((id) => exportInto(target, id)));
    expect(runs.map((files) => files.map(({ rows }) => rows))).toEqual([
      [600, 0],
      [550, 0],
      [1, 0],
    ]);
    expect((await readdir(target)).sort()).toEqual(['events.ndjson', 'tags.ndjson']);
    const complete = await Promise.all(organizations.map((id) => exportText(service.store, id, 'ndjson', ['tags'])));
    expect(complete.map((files) => files['tags.ndjson'])).toContain(
      await readFile(join(target, 'tags.ndjson'), 'utf8'),
    );
  });

  it('keeps existing files, and leaves no new ones, if it fails', async () => {
    const target = await folder();
    const id = await organizationWith(1);
    await exportInto(target, id);
    const before = await readFile(join(target, 'tags.ndjson'), 'utf8');
    const failing = exportInto(target, id, () => {
      throw new Error('stopped');
    });
    await expect(failing).rejects.toThrow('stopped');
    expect((await readdir(target)).sort()).toEqual(['events.ndjson', 'tags.ndjson']);
    expect(await readFile(join(target, 'tags.ndjson'), 'utf8')).toBe(before);
  });

  it('writes to the files that symbolic links lead to, and keeps the links', async () => {
    const [target, other] = [await folder(), await folder()];
    await writeFile(join(other, 'older'), 'older');
    await symlink(join(other, 'older'), join(target, 'tags.ndjson'));
    await symlink(join(other, 'new'), join(target, 'events.ndjson'));
    await exportInto(target, await organizationWith(1));
    for (const name of ['tags.ndjson', 'events.ndjson'])
      expect((await lstat(join(target, name))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(other, 'older'), 'utf8')).toMatch(/^{.*}\n$/);
    expect((await readdir(other)).sort()).toEqual(['new', 'older']);
    expect((await readdir(target)).sort()).toEqual(['events.ndjson', 'tags.ndjson']);
  });

  it('refuses to write two resources to the same file', async () => {
    const target = await folder();
    await symlink('tags.ndjson', join(target, 'events.ndjson'));
    await expect(exportInto(target, await organizationWith(1))).rejects.toMatchObject({
      details: [{ message: expect.stringMatching(/^is the same file as .*ndjson$/) }],
    });
    expect(await readdir(target)).toEqual(['events.ndjson']);
  });

  it('refuses to replace anything but a regular file', async () => {
    const target = await folder();
    await mkdir(join(target, 'tags.ndjson'));
    await expect(exportInto(target, await organizationWith(1))).rejects.toMatchObject({
      details: [{ field: join(target, 'tags.ndjson'), message: 'is not a regular file' }],
    });
    expect(await readdir(target)).toEqual(['tags.ndjson']);
  });

  it('reports a lost database connection as it is, not as a file that cannot be written', async () => {
    const target = await folder();
    const failing = exportRecords({
      pool: poolThatLosesItsConnection(),
      organizationId: (await service.organization()).id,
      resources: ['tags'],
      format: 'csv',
      folder: target,
      onProgress: () => {},
    });
    await expect(failing).rejects.toMatchObject({ code: 'ECONNRESET', message: 'read ECONNRESET' });
    expect(await readdir(target)).toEqual([]);
  });

  it('reports a folder that cannot be created as an error of the folder', async () => {
    const file = join(await folder(), 'file');
    await writeFile(file, '');
    const failing = exportInto(join(file, 'target'), (await service.organization()).id);
    await expect(failing).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: join(file, 'target'), message: expect.stringMatching(/^cannot be written to \(ENOTDIR: /) }],
    });
  });

  /** Creates the temporary folder of a killed run whose last write was some minutes ago. */
  const leftover = async (target: string, minutes: number): Promise<void> => {
    const unfinished = join(target, 'export.part-Ab12Cd');
    const file = join(unfinished, 'tags.ndjson');
    await mkdir(unfinished);
    await writeFile(file, '{"name":');
    const modifiedAt = new Date(Date.now() - minutes * 60_000);
    await utimes(file, modifiedAt, modifiedAt);
    await utimes(unfinished, new Date(0), new Date(0));
  };

  it('deletes the temporary folder of a killed run', async () => {
    const target = await folder();
    await leftover(target, 61);
    await exportInto(target, await organizationWith(0));
    expect((await readdir(target)).sort()).toEqual(['events.ndjson', 'tags.ndjson']);
  });

  it('keeps a temporary folder that another run may still use', async () => {
    const target = await folder();
    await leftover(target, 59);
    await exportInto(target, await organizationWith(0));
    expect((await stat(join(target, 'export.part-Ab12Cd', 'tags.ndjson'))).size).toBe(8);
  });

  it('keeps files of others whose names begin like that of a temporary folder', async () => {
    const target = await folder();
    const part = join(target, 'export.part-aa');
    await writeFile(part, 'a part of a split archive');
    await utimes(part, new Date(0), new Date(0));
    await exportInto(target, await organizationWith(0));
    expect((await stat(part)).size).toBe(25);
  });
});
