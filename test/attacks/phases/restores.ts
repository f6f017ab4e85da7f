import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { times } from '../../support/data.ts';
import { forEachConcurrently } from '../../support/load/concurrency.ts';
import { seededInteger } from '../../support/seeded-random.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import type { Attack, Phase } from '../attack.ts';
import { runCommand } from '../command.ts';

const MB = 2 ** 20;
/** The maximum of a sequence in PostgreSQL. */
const MAX_BIGINT = '9223372036854775807';

/** A malicious backup, and a part of the message that rejects it. */
interface RestoreCase {
  readonly name: string;
  readonly message: RegExp;
  /** The file, or its lines. */
  readonly content: () => Buffer | string[];
}

/** Malicious backups: the command must reject them completely, with limited time and memory. */
export const restores: Phase = {
  name: 'restores',
  about: 'backups that are truncated, damaged, manipulated or huge, restored by the command',
  async run(attack) {
    const folder = mkdtempSync(join(tmpdir(), 'cms-attack-'));
    const { DATABASE_URL: url } = attack.target.environment;
    const databases = url === undefined ? undefined : createDatabases(url);
    // Only one command at a time can restore into an embedded database.
    const atOnce = databases ? 2 : 1;
    try {
      const intact = join(folder, 'intact.gz');
      const backup = { name: 'the records', args: ['backup', intact], environment: attack.target.environment };
      await runCommand(attack, 'restores', { ...backup, exitCode: 0 });
      const lines = gunzipSync(readFileSync(intact)).toString().split('\n').slice(0, -1);
      const environment = databases
        ? { DATABASE_URL: databases.urlOf(await databases.create()) }
        : { DATA_DIR: join(folder, 'data') };
      const restore = (name: string, path: string, expected: { exitCode: number; message?: RegExp }) =>
        runCommand(attack, 'restores', { name, args: ['restore', path], environment, ...expected });
      await restore('an endless device', '/dev/zero', { exitCode: 1, message: /is not a regular file/ });
      await forEachConcurrently(casesOf(lines, attack), atOnce, async ({ name, message, content }, n) => {
        const path = join(folder, `${n}.gz`);
        const file = content();
        writeFileSync(path, Buffer.isBuffer(file) ? file : compress(file.join('\n')));
        await restore(name, path, { exitCode: 1, message });
        rmSync(path);
      });
      // This is refused if any of the backups left a record.
      await restore('the intact backup', intact, { exitCode: 0 });
    } finally {
      await databases?.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const compress = (text: string) => gzipSync(text, { level: 1 });
const escapes = '\u001b]0;title\u0007\u001b[31m\u009b2J\u0000\u0008';
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

function casesOf(lines: readonly string[], { seed }: Attack): readonly RestoreCase[] {
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const header = JSON.parse(first) as { migrations: object[] };
  const withLine = (index: number, ...line: string[]) => [...lines.slice(0, index), ...line, ...lines.slice(index + 1)];
  const withHeader = (fields: object) => withLine(0, JSON.stringify({ ...header, ...fields }));
  const tag = lines.findIndex((line) => line.startsWith('{"table":"tag"'));
  /** The backup with another value in the first tag. */
  const withValue = (column: string, value: string) => {
    const { columns } = JSON.parse(lines[tag] as string) as { columns: string[] };
    const cells = JSON.parse(lines[tag + 1] as string) as string[];
    return withLine(tag + 1, JSON.stringify(cells.with(columns.indexOf(column), value)));
  };
  return [
    {
      name: 'the first lines',
      message: /the copy is incomplete; nothing was changed/,
      content: () => lines.slice(0, 1 + seededInteger(seed, 'restores', lines.length - 1)),
    },
    {
      name: 'each line twice',
      message: /the copy does not start with its header/,
      content: () => lines.flatMap((line) => [line, line]),
    },
    {
      name: 'a line after the end',
      message: /the copy has data after its end; nothing was changed/,
      content: () => [...lines, last],
    },
    {
      name: 'a broken gzip stream',
      message: /is not a backup of this service \(line \d+\)|is incomplete or damaged/,
      content: () => {
        const content = compress(lines.join('\n'));
        return content.fill(255, content.length >> 1, (content.length >> 1) + 100);
      },
    },
    {
      name: 'text without compression',
      message: /is not a backup of this service$/m,
      content: () => Buffer.from(lines.join('\n')),
    },
    {
      name: 'a newer schema',
      message: /has the schema version 3000.*, this program knows /,
      content: () => withHeader({ migrations: [...header.migrations, { name: `3000${escapes}`, checksum: escapes }] }),
    },
    {
      name: 'SQL in the name of a table',
      message: /the table "tag\\"; DROP TABLE member; .* of the copy is unknown/,
      content: () => withLine(tag, JSON.stringify({ table: `tag"; DROP TABLE member; -- ${escapes}`, columns: [] })),
    },
    {
      name: 'a table named `__proto__`',
      message: /the table "__proto__" of the copy is unknown/,
      content: () => withLine(tag, '{"table":"__proto__","columns":["constructor"]}'),
    },
    {
      name: 'an object three million levels deep',
      message: /is not a backup of this service \(line \d+ is longer than 1 MiB\)/,
      content: () => withLine(tag, '{"a":'.repeat(3_000_000)),
    },
    {
      name: 'a row five million levels deep',
      message: notABackup(tag + 1),
      content: () => withLine(tag + 1, deep(5_000_000)),
    },
    {
      name: 'control characters as a value',
      message: /the database refused a row between .*invalid input syntax for type timestamp/,
      content: () => withValue('created_at', escapes.replace('\0', '')),
    },
    {
      name: 'a record of another organization',
      message: /violates foreign key constraint "tag_organization_id_fkey"/,
      content: () => withValue('organization_id', 'org_01j00000000000000000000009'),
    },
    {
      name: 'four rows of 15 MB',
      message: /the database refused a row between 1 and 2 of tag /,
      content: () => withLine(tag + 1, ...times(4, () => JSON.stringify(['a'.repeat(15 * MB)]))),
    },
    {
      name: 'a line of 20 MB',
      message: /is not a backup of this service \(line \d+ is longer than 16 MiB\)/,
      content: () => withLine(tag + 1, `["${'a'.repeat(20 * MB)}"]`),
    },
    {
      name: '100 million empty rows before the first table',
      message: /the copy has rows before its first table; nothing was changed/,
      content: () => Buffer.concat([compress(`${first}\n`), ...times(10, () => compress('[]\n'.repeat(10_000_000)))]),
    },
    {
      name: 'row counts that overflow',
      message: notABackup(lines.length - 1),
      content: () => withLine(lines.length - 1, last.replace(/"rows":\d+/g, '"rows":1e400')),
    },
    {
      name: 'a sequence at its maximum',
      message: /bigint out of range/,
      content: () =>
        withLine(
          lines.length - 1,
          last.replace(/(_seq":")\d+/g, (_, name) => `${name}${MAX_BIGINT}`),
        ),
    },
  ];
}

/** The message for an invalid line. */
const notABackup = (index: number) => new RegExp(`is not a backup of this service \\(line ${index + 1}\\)`);
