import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportRecords } from '../../src/import-export/export.ts';
import { person } from '../support/data.ts';
import { manyOf } from '../support/many.ts';
import { onOneStore } from '../support/service.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { exportText, importText } from './imports.ts';

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

  it.each([
    ['csv', 'Tom &amp; Ann'],
    ['ndjson', 'Tom &amp; Ann'],
    ['ndjson', 'JÃ¶rg'],
  ] as const)(
    'can be imported as %s with a text that looks like an error of another program: %s',
    async (format, text) => {
      const [us, other] = [await service.organization(), await service.organization()];
      expect((await us.post('/members', person({ last_name: text }))).status).toBe(201);
      const before = await exportText(service.store, us.id, format, ['members']);
      const name = `members.${format}`;
      const file = before[name] as string;
      expect(await importText(service.store, us.id, name, file)).toMatchObject({ unchanged: 1 });
      expect(await importText(service.store, other.id, name, file)).toMatchObject({ created: 1 });
      expect(await exportText(service.store, other.id, format, ['members'])).toEqual(before);
      const ofOthers = `last_name,first_name,email_address\n${text},Ada,${person().email_address}\n`;
      expect(await importText(service.store, us.id, 'members.csv', ofOthers)).toMatchObject({ rejected: 1 });
    },
  );

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

  it('deletes the unfinished files of a killed run, unless another run may still use them', async () => {
    const target = await folder();
    const [killed, running] = [`tags.ndjson.part-${randomUUID()}`, `tags.ndjson.part-${randomUUID()}`];
    for (const [name, hours] of [
      [killed, 13],
      [running, 11],
    ] as const) {
      await writeFile(join(target, name), '{"name":');
      const modifiedAt = new Date(Date.now() - hours * 3_600_000);
      await utimes(join(target, name), modifiedAt, modifiedAt);
    }
    await exportInto(target, await organizationWith(0));
    expect((await readdir(target)).sort()).toEqual(['events.ndjson', 'tags.ndjson', running]);
  });
});
