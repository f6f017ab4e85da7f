import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportRecords } from '../../src/import-export/files/export.ts';
import { temporaryStores } from '../support/directories.ts';
import { manyOf } from '../support/many.ts';
import { onOneStore } from '../support/service.ts';
import { exportText } from './imports.ts';

onOneStore((service) => {
  const { folder } = temporaryStores();

  const organizationWith = async (tags: number): Promise<string> => {
    const { id } = await service.organization();
    await manyOf(service, id).tags(tags);
    return id;
  };
  const exportInto = (place: string, organizationId: string, onProgress = () => {}) =>
    exportRecords({
      ...{ pool: service.store.pool, organizationId, resources: ['tags', 'events'], format: 'ndjson', folder: place },
      onProgress,
    });

  it('gives files of one run each when several write into one folder at once', async () => {
    const place = await folder();
    const organizations = await Promise.all([600, 550, 1].map(organizationWith));
    const runs = await Promise.all(organizations.map((id) => exportInto(place, id)));
    expect(runs.map((files) => files.map(({ rows }) => rows))).toEqual([
      [600, 0],
      [550, 0],
      [1, 0],
    ]);
    expect((await readdir(place)).sort()).toEqual(['events.ndjson', 'tags.ndjson']);
    const whole = await Promise.all(organizations.map((id) => exportText(service.store, id, 'ndjson', ['tags'])));
    expect(whole.map((files) => files['tags.ndjson'])).toContain(await readFile(join(place, 'tags.ndjson'), 'utf8'));
  });

  it('leaves what is there, and nothing beside it, when it fails', async () => {
    const place = await folder();
    const id = await organizationWith(1);
    await exportInto(place, id);
    const before = await readFile(join(place, 'tags.ndjson'), 'utf8');
    const failing = exportInto(place, id, () => {
      throw new Error('stopped');
    });
    await expect(failing).rejects.toThrow('stopped');
    expect((await readdir(place)).sort()).toEqual(['events.ndjson', 'tags.ndjson']);
    expect(await readFile(join(place, 'tags.ndjson'), 'utf8')).toBe(before);
  });

  /** What a run that was killed left behind, its last write so many minutes ago. */
  const leftover = async (place: string, minutes: number): Promise<void> => {
    const unfinished = join(place, 'export.part-Ab12Cd');
    const file = join(unfinished, 'tags.ndjson');
    await mkdir(unfinished);
    await writeFile(file, '{"name":');
    const then = new Date(Date.now() - minutes * 60_000);
    await utimes(file, then, then);
    await utimes(unfinished, new Date(0), new Date(0));
  };

  it('removes what a killed run left', async () => {
    const place = await folder();
    await leftover(place, 61);
    await exportInto(place, await organizationWith(0));
    expect((await readdir(place)).sort()).toEqual(['events.ndjson', 'tags.ndjson']);
  });

  it('leaves what another run may still be writing', async () => {
    const place = await folder();
    await leftover(place, 59);
    await exportInto(place, await organizationWith(0));
    expect((await stat(join(place, 'export.part-Ab12Cd', 'tags.ndjson'))).size).toBe(8);
  });
});
