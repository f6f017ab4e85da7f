import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { temporaryStores } from '../../support/stores/directories.ts';
import { cms, newKey, runOk, runRefused, text } from './commands.ts';

const { folder } = temporaryStores();

/** Imports two tags and a member with one of them into a new organization. */
async function importTwoFiles() {
  const { organization } = await newKey();
  const directory = await folder();
  const [tags, members] = [join(directory, 'tags.csv'), join(directory, 'members.csv')];
  const { email_address } = person();
  await writeFile(tags, 'name\nChoir\nYouth\n');
  await writeFile(members, `id,first name,last name,email,tags\n7,Ada,Hill,${email_address},Choir\n`);
  const run = ['--organization', organization.id];
  const { files } = await runOk('import', ...run, tags, members);
  return { organization, run, tags, members, ids: files.map(({ run_id }: { run_id: string }) => run_id) as string[] };
}

it('import-runs lists what stored something, newest first, and import --undo takes it back', async () => {
  const { run, tags, members, ids } = await importTwoFiles();
  expect(await runOk('import', ...run, tags)).toMatchObject({ files: [{ run_id: null, unchanged: 2 }] });
  const listed = (file: string, created: number, state: string) => ({
    id: ids[file === 'tags.csv' ? 0 : 1],
    file,
    actor: expect.stringMatching(/^cli/),
    created,
    state,
  });
  expect(await runOk('import-runs', ...run)).toMatchObject([
    listed('members.csv', 1, 'complete'),
    listed('tags.csv', 2, 'complete'),
  ]);
  const report = {
    file: 'tags.csv',
    removed: 1,
    restored: 0,
    kept: [{ name: 'Choir', field: null, reason: 'is the tag of a member' }],
  };
  const undo = ['import', '--undo', ids[0] as string];
  expect(await runOk(...undo, '--dry-run')).toMatchObject({ dry_run: true, ...report });
  expect(await runOk('import-runs', ...run)).toMatchObject([{}, { state: 'complete' }]);
  expect(await runOk(...undo)).toMatchObject({ dry_run: false, run_id: ids[0], ...report });
  const undone = await text('import', '--undo', ids[1] as string, ...run, '--quiet');
  expect([undone.code, undone.err]).toEqual([0, '']);
  expect(undone.out).toBe(
    'members.csv: 1 record removed, 0 records restored, 1 tag of members and 1 external id removed\nUndone.\n',
  );
  const { out } = await text('import-runs', ...run);
  expect(out).toMatch(/^ID +AT +FILE +RESOURCE +BY +STATE +ROWS +CREATED +UPDATED +UNCHANGED +REJECTED\n/);
  expect(out).toMatch(/members\.csv +members +\S+ +undone /);
  expect(await runOk('import', ...run, members)).toMatchObject({ files: [{ created: 1 }] });
});

it('import prints the command that undoes it', async () => {
  const { run, members, ids } = await importTwoFiles();
  await runOk('import', '--undo', ids[1] as string);
  const { out } = await text('import', ...run, '--quiet', members);
  const [, id] = /can be undone for 30 days with \.\/cms import --undo (imp_\w+)\n/.exec(out) ?? [];
  expect(await runOk('import-runs', ...run)).toMatchObject([{ id }, {}, {}]);
});

it('import --undo refuses unknown ids, those of another organization, and options of an import', async () => {
  const { members, ids } = await importTwoFiles();
  const { organization: other } = await newKey();
  const id = ids[1] as string;
  expect(await runRefused('import', '--undo', 'imp_unknown')).toMatchObject({ code: 'not_found' });
  expect(await runRefused('import', '--undo', id, '--organization', other.id)).toMatchObject({ code: 'not_found' });
  const refused = await runRefused('import', '--undo', id, '--source', 'crm', members);
  expect(refused.details).toEqual(
    ['--source', 'files'].map((field) => ({ field, message: 'cannot be used with --undo' })),
  );
  expect((await text('import-runs', '--organization', other.id)).out).toBe('There are no imports.\n');
  expect((await cms('import-runs')).json.map((one: { id: string }) => one.id)).toEqual(expect.arrayContaining(ids));
});
