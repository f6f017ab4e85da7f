import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { seededInteger } from '../../../src/demo/seeded-random.ts';
import { times } from '../../support/data.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import type { Attack, Phase } from '../attack.ts';
import { runCommand } from '../command.ts';

const AT_ONCE = 2;
const MB = 2 ** 20;

/** Malicious backups: the command must reject them completely, with limited time and memory. */
export const restores: Phase = {
  name: 'restores',
  about: 'backups that are truncated, damaged, manipulated or huge, restored by the command',
  async run(attack) {
    const folder = mkdtempSync(join(tmpdir(), 'cms-attack-'));
    const { DATABASE_URL: url } = attack.target.environment;
    const databases = url === undefined ? undefined : createDatabases(url);
    try {
      const intact = join(folder, 'intact.gz');
      const backup = { name: 'the records', args: ['backup', intact], environment: attack.target.environment };
      await runCommand(attack, 'restores', { ...backup, exitCodes: [0] });
      const lines = gunzipSync(readFileSync(intact)).toString().split('\n').slice(0, -1);
      const environment = databases
        ? { DATABASE_URL: databases.urlOf(await databases.create()) }
        : { DATA_DIR: join(folder, 'data') };
      const restore = (name: string, path: string, exitCode: number) =>
        runCommand(attack, 'restores', { name, args: ['restore', path], environment, exitCodes: [exitCode] });
      await restore('a device without an end', '/dev/zero', 1);
      const left = Object.entries(backupsOf(lines, attack)).entries();
      const restoreLeft = async () => {
        for (const [n, [name, create]] of left) {
          const path = join(folder, `${n}.gz`);
          const content = create();
          writeFileSync(path, Buffer.isBuffer(content) ? content : compress(content.join('\n')));
          await restore(name, path, 1);
          rmSync(path);
        }
      };
      await Promise.all(times(AT_ONCE, restoreLeft));
      // This is refused if any of the backups left a record.
      await restore('the intact backup', intact, 0);
    } finally {
      await databases?.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const compress = (text: string) => gzipSync(text, { level: 1 });
const escapes = '\u001b]0;title\u0007\u001b[31m\u009b2J\u0000\u0008';
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

type Content = Buffer | string[];

function backupsOf(lines: readonly string[], { seed, target }: Attack): Record<string, () => Content> {
  const random = (n: number, sides: number) => seededInteger(seed + n, 'restores', sides);
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const header = JSON.parse(first) as { migrations: object[] };
  const tableAt = (table: string) => lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
  const withLine = (index: number, ...line: string[]) => [...lines.slice(0, index), ...line, ...lines.slice(index + 1)];
  const withHeader = (fields: object) => withLine(0, JSON.stringify({ ...header, ...fields }));
  /** The backup with other values in the first row of a table. */
  const withRow = (table: string, change: (cells: string[], columns: string[]) => unknown[]) => {
    const index = tableAt(table);
    const { columns } = JSON.parse(lines[index] as string);
    return withLine(index + 1, JSON.stringify(change(JSON.parse(lines[index + 1] as string), columns)));
  };
  const withValue = (table: string, column: string, value: unknown) =>
    withRow(table, (cells, columns) => cells.map((cell, n) => (columns[n] === column ? value : cell)));
  const tag = tableAt('tag');
  return {
    ...Object.fromEntries(times(4, (n) => [`the first lines, ${n}`, () => lines.slice(0, random(n, lines.length))])),
    'lines in another order': () =>
      lines
        .map((line, n): [number, string] => [random(n, lines.length), line])
        .sort(([a], [b]) => a - b)
        .map(([, line]) => line),
    'each line twice': () => lines.flatMap((line) => [line, line]),
    'a line after the end': () => [...lines, last],
    'no header': () => lines.slice(1),
    'a broken gzip stream': () => {
      const content = compress(lines.join('\n'));
      return content.fill(255, content.length >> 1, (content.length >> 1) + 100);
    },
    'text without compression': () => Buffer.from(lines.join('\n')),
    'a version that is an object': () => withHeader({ version: { toString: null } }),
    'a version a million levels deep': () => withLine(0, first.replace('"version":1', `"version":${deep(1_000_000)}`)),
    'no migrations': () => withHeader({ migrations: [] }),
    'the last migration only': () => withHeader({ migrations: header.migrations.slice(-1) }),
    'a newer schema': () =>
      withHeader({ migrations: [...header.migrations, { name: `3000${escapes}`, checksum: escapes }] }),
    'SQL in the name of a table': () =>
      withLine(tag, JSON.stringify({ table: `tag"; DROP TABLE member; -- ${escapes}`, columns: [] })),
    'a table of prototypes': () => withLine(tag, '{"table":"__proto__","columns":["constructor"]}'),
    'a table of PostgreSQL': () => withLine(tag, '{"table":"pg_class","columns":["relname"]}'),
    'an object three million levels deep': () => withLine(tag, '{"a":'.repeat(3_000_000)),
    'two million columns': () => withLine(tag, JSON.stringify({ table: 'tag', columns: times(2_000_000, () => 'a') })),
    '100,000 tables': () => [...lines.slice(0, tag), ...times(100_000, () => lines[tag] as string), last],
    'a row five million levels deep': () => withLine(tag + 1, deep(5_000_000)),
    'two rows in one line': () => withLine(tag + 1, `${lines[tag + 1]},${lines[tag + 2]}`),
    'numbers as values': () => withRow('tag', (cells) => cells.map(() => 5)),
    'null as values': () => withRow('tag', (cells) => cells.map(() => null)),
    'control characters as a value': () => withValue('tag', 'created_at', escapes.replace('\0', '')),
    'a record of another organization': () => withValue('tag', 'organization_id', 'org_01j00000000000000000000009'),
    'a key of a megabyte': () =>
      withValue('person', 'id', times(MB, (n) => String.fromCharCode(97 + random(n, 26))).join('')),
    'four rows of 15 MB': () => withLine(tag + 1, ...times(4, () => JSON.stringify(['a'.repeat(15 * MB)]))),
    'a line of 64 MB': () => withLine(tag + 1, `["${'a'.repeat(64 * MB)}"]`),
    '100 million empty rows before the first table': () =>
      Buffer.concat([compress(`${first}\n`), ...times(10, () => compress('[]\n'.repeat(10_000_000)))]),
    'checksums of escape sequences': () => withLine(lines.length - 1, last.replace(/"sha256":"/g, '$&\\u001b[31m')),
    'counts beyond all numbers': () => withLine(lines.length - 1, last.replace(/"rows":\d+/g, '"rows":1e400')),
    'a sequence at its end': () => withLine(lines.length - 1, last.replace(/(_seq":")\d+/g, '$19223372036854775807')),
    'the identifier of the organization in another place': () =>
      lines.map((line) => line.replace(`"${target.organizationId}", "`, `"${target.organizationId}x", "`)),
  };
}
