import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { runCli, runCliOnTerminal } from '../../support/processes/cli.ts';
import { onOneStore } from '../../support/service.ts';
import { temporaryStores } from '../../support/stores/directories.ts';
import { environment } from './commands.ts';

const MEMBERS = `id,first name,last name,email,Shoe size,birthday
t0,Ada,Hill 0,t0.${randomUUID()}@example.org,650-253-0000,1/2/1990
t1,Ada,Hill 1,t1.${randomUUID()}@example.org,650-253-0000,1/2/1990
t9,,,,,
`;

const { folder } = temporaryStores();

onOneStore((service) => {
  let [directory, organization] = ['', ''];
  beforeAll(async () => {
    directory = await folder();
    organization = (await service.organization()).id;
  });

  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(directory, name), content);
    return join(directory, name);
  };
  const importFiles = (...args: string[]) => runCli(environment, 'import', '--organization', organization, ...args);

  it('prints the column mapping and the results of a dry run', async () => {
    const path = await file('people.csv', MEMBERS);
    const args = [path, '--resource', 'members', '--dry-run', '--rejects', join(directory, 'dry-run')];
    const { code, out } = await importFiles(...args);
    expect(code).toBe(3);
    expect(out).toMatch(/people\.csv +members +3 +2 +0 +0 +1 /);
    expect(out).toContain('people.csv: columns id → external_id, first name → first_name');
    expect(out).toContain('people.csv: ignored columns Shoe size\n');
    expect(out).toMatch(
      /\nDry run: nothing was stored\.\npeople\.csv: 1 of 3 rows rejected; they are in \S+\/dry-run\/people\.rejects\.csv\n(?: {2}1 row: \w+: .*\n)+$/,
    );
    expect((await importFiles(path, '--resource', 'members', '--json')).json.files[0]).toMatchObject({
      created: 2,
    });
  });

  it('exports files that import without changes, readable by their owner only', async () => {
    const folder = join(directory, 'out');
    const args = [
      'export',
      '--organization',
      organization,
      '--format',
      'csv',
      '--resource',
      'tags',
      '--resource',
      'departments',
    ];
    await importFiles(
      await file('departments.ndjson', '{"name":"Music"}\n'),
      await file('tags.ndjson', '{"name":"Choir"}\n'),
    );
    const { code, json } = await runCli(environment, ...args, '--json', folder);
    expect(code).toBe(0);
    expect(json.files.map(({ resource, rows }: { resource: string; rows: number }) => [resource, rows])).toEqual([
      ['tags', 1],
      ['departments', 1],
    ]);
    expect((await readdir(folder)).sort()).toEqual(['departments.csv', 'tags.csv']);
    const files = (await readdir(folder)).map((name) => join(folder, name));
    const secondRun = await importFiles('--json', ...files);
    expect(secondRun).toMatchObject({ code: 0, err: '' });
    expect(secondRun.json.files.map(({ unchanged }: { unchanged: number }) => unchanged)).toEqual([1, 1]);
    const unwritable = await runCli(environment, ...args, await file('taken', ''));
    expect(unwritable).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: .*taken: cannot be written to/),
    });
  });

  it('escapes control characters of file names, columns, values and errors', async () => {
    const evil = '\x1b[31m\x1b]0;evil\x07\x9b31m\u202e';
    /** Control characters except those of the progress line. */
    const controlCharacters = (text: string) => text.replaceAll('\r\x1b[K', '').match(/[^\P{Cc}\n]|\u202e/gu);
    const content = `external_id,name,${evil},${evil}2\nevil,Evil,x,y\n`;
    const [path, dryPath] = [await file(`tags-${evil}.csv`, content), await file('tags-dry.csv', content)];
    const args = ['import', '--organization', organization];
    const runs = [
      await runCliOnTerminal(environment, ...args, path),
      await runCliOnTerminal(environment, ...args, '--dry-run', dryPath),
      await importFiles('--json', path),
      await importFiles('--json', await file('tags-unknown.csv', `${evil}\n`), '--map', 'Name=name'),
      await importFiles(join(directory, `tags-none${evil}.csv`)),
      await importFiles(dryPath, '--mapping', await file(`mapping${evil}`, 'x')),
      await runCli(environment, 'import', '--organization', organization, `--${evil}`, path),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 1, 1, 2, 2]);
    for (const { out, err } of runs) expect([controlCharacters(out), controlCharacters(err)]).toEqual([null, null]);
    const [human, dry, json] = runs;
    expect(human?.out).toContain('tags-\\u001b[31m\\u001b]0;evil\\u0007\\u009b31m\\u202e.csv');
    expect(dry?.out).toContain('ignored columns \\u001b[31m\\u001b]0;evil\\u0007\\u009b31m\\u202e, ');
    expect(json?.json.files[0].columns).toMatchObject({ name: 'name', [evil]: null });
  });

  it('maps columns and values with a mapping file, of which the imported file need not have every column', async () => {
    const { email_address } = person();
    const mapping = {
      columns: { Rufname: 'first_name', Vermerk: '', Plan: 'city' },
      values: { gender: { ' H ': 'Male', m: 'Female' } },
    };
    const path = await file('members-mapped.csv', `Rufname;Nachname;E-Mail;Sexo\nAda;Hill;${email_address};M\n`);
    const { code, json } = await importFiles(
      '--json',
      path,
      '--mapping',
      await file('map.json', JSON.stringify(mapping)),
    );
    expect([code, json.files[0]]).toMatchObject([0, { created: 1, columns: { Rufname: 'first_name' } }]);
  });

  it.each([
    ['["a"]', 'is not a mapping (Invalid input: expected object, received array); it must be'],
    [
      '{"values": {"gender": {"m": null}}}',
      'is not a mapping (values.gender.m: Invalid input: expected string, received null)',
    ],
    ['{"columns": {}, "column": {}}', 'is not a mapping (Unrecognized key: "column")'],
    ['{"values": {"gendr": {"m": "Male"}}}', 'members have no field "gendr"; the fields are external_id'],
    ['{"columns": {"Ort": "town"}}', 'members have no field "town"; the fields are external_id'],
  ])('refuses the mapping %s', async (content, reason) => {
    const path = await file('members-wrong.csv', 'Vorname,Ort\nAda,Bonn\n');
    const { code, err } = await importFiles(path, '--mapping', await file('wrong.json', content));
    expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
  });

  it.each([
    ['a file name without a resource', ['people.csv'], /people\.csv: it is not named after a resource; set --resource/],
    ['a file that does not exist', ['members-none.csv'], /members-none\.csv: cannot be read/],
    [
      'a column mapping for several files',
      ['tags.csv', 'events.csv', '--map', 'a=name'],
      /--map: applies to one file only/,
    ],
    [
      'a mapping that is not JSON',
      ['tags.csv', '--mapping', 'tags.csv'],
      /--mapping: .*tags\.csv is not valid JSON; it must be a JSON object like/,
    ],
    [
      'a mapping that is too long',
      ['tags.csv', '--mapping', 'long.csv'],
      /--mapping: .*long\.csv is longer than 1 MiB/,
    ],
  ])('rejects %s', async (_, args, message) => {
    for (const name of ['people.csv', 'tags.csv', 'events.csv']) await file(name, 'name\n');
    await file('long.csv', `{"Name": "${'x'.repeat(1_048_576)}"}`);
    const { code, out, err } = await importFiles(
      ...args.map((arg) => (/\.(csv|json)$/.test(arg) ? join(directory, arg) : arg)),
    );
    expect({ code, out }).toEqual({ code: err.startsWith('error: --') ? 2 : 1, out: '' });
    expect(err).toMatch(message);
  });

  it('prints the results of the files before the one that failed', async () => {
    const members = await file('members.csv', 'first name,email\n,nobody@example.org\n');
    const paths = [
      await file('designations.csv', 'name\nGreeter\n'),
      members,
      await file('events.csv', 'title\n"open\n'),
    ];
    const human = await importFiles('--quiet', ...paths);
    expect(human.code).toBe(1);
    expect(human.out).toMatch(/^FILE .*\ndesignations\.csv .*\nmembers\.csv .*\n/);
    expect(human.out).toMatch(
      /members\.csv: 1 of 1 row rejected; they are in .*members\.rejects\.csv\n {2}1 row: first_name: required\n/,
    );
    const { code, json, err } = await importFiles('--json', ...paths);
    expect(code).toBe(1);
    expect(json).toMatchObject({
      complete: false,
      files: [
        { resource: 'designations', unchanged: 1 },
        { resource: 'members', rejected: 1, rejects_file: expect.stringContaining('members.rejects') },
      ],
    });
    expect(JSON.parse(err).error.message).toMatch(/^events\.csv: /);
  });
});
