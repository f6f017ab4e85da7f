import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { times } from '../../support/data.ts';
import { forEachConcurrently } from '../../support/load/concurrency.ts';
import type { Phase } from '../attack.ts';
import { runCommand } from '../command.ts';

const AT_ONCE = 2;
const MB = 2 ** 20;

/** Exit codes of `cms import`. */
const [SUCCESS, INVALID_FILE, REJECTED_ROWS] = [0, 1, 3];

/** A malicious file, and the expected result of its import. */
interface ImportCase {
  readonly name: string;
  readonly format: 'csv' | 'ndjson';
  /** By default `members`. */
  readonly resource?: string;
  /** By default that of rejected rows. */
  readonly exitCode?: number;
  readonly message?: RegExp;
  readonly content: () => string | Buffer;
}

/** Malicious files: the command must reject them or their rows, with limited time and memory. */
export const imports: Phase = {
  name: 'imports',
  about: 'CSV and NDJSON files with huge headers, rows and values, imported by the command',
  async run(attack) {
    const { organizationId, environment } = attack.target;
    const folder = mkdtempSync(join(tmpdir(), 'cms-attack-'));
    const importCase = async (
      { name, format, resource = 'members', exitCode = REJECTED_ROWS, message, content }: ImportCase,
      n: number,
    ) => {
      const path = join(folder, `${n}.${format}`);
      writeFileSync(path, content());
      const args = ['import', '--organization', organizationId, '--resource', resource, '--dry-run', path];
      const title = `${name} (${resource}, ${format})`;
      await runCommand(attack, 'imports', { name: title, args, environment, exitCode, message });
      rmSync(path);
    };
    try {
      await forEachConcurrently(CASES, AT_ONCE, importCase);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const HEADER = 'external_id,first_name,last_name,email_address';
const row = (n: number, fields: object = {}) =>
  JSON.stringify({
    external_id: `x${n}`,
    first_name: 'A',
    last_name: 'B',
    email_address: `x${n}@example.org`,
    ...fields,
  });
const escapes = '\u001b]0;title\u0007\u001b[31m\u009b2J\u0000\u0008';
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const CASES: readonly ImportCase[] = [
  {
    name: 'a header of a million columns',
    format: 'csv',
    exitCode: INVALID_FILE,
    message: /has 1000001 columns, more than 1000;/,
    content: () => `${'a,'.repeat(1_000_000)}\n1\n`,
  },
  {
    name: 'an unclosed quote',
    format: 'csv',
    exitCode: INVALID_FILE,
    message: /the row that starts on line 2 is longer than 2 MiB/,
    content: () => `${HEADER}\n"${'a,b\n'.repeat(10 * MB)}`,
  },
  {
    name: 'a million empty lines',
    format: 'csv',
    exitCode: SUCCESS,
    content: () => `${HEADER}\n${'\n'.repeat(1_000_000)}`,
  },
  {
    name: 'broken UTF-8',
    format: 'csv',
    exitCode: INVALID_FILE,
    message: /is not UTF-8 \(line 1\)/,
    content: () => Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.alloc(100_000, 0xff)]),
  },
  {
    name: 'escape sequences',
    format: 'csv',
    content: () => `${HEADER},${escapes}\n${escapes},${escapes},B,${escapes}\n`,
  },
  {
    name: 'combining marks',
    format: 'csv',
    content: () => `${HEADER}\nx,a${'\u0300\u0316'.repeat(150_000)},B,a@example.org\n`,
  },
  {
    name: '2,000 invalid rows',
    format: 'csv',
    content: () => `${HEADER}\n${times(2_000, (n) => `x${n},,,none`).join('\n')}\n`,
  },
  {
    name: 'one person 500 times',
    format: 'csv',
    exitCode: SUCCESS,
    content: () => `${HEADER}\n${times(500, () => 'x,A,B,a@example.org').join('\n')}\n`,
  },
  {
    name: 'two rows of a million delimiters',
    format: 'csv',
    content: () => `${HEADER}\n${`${','.repeat(1_000_000)}\n`.repeat(2)}`,
  },
  { name: 'lists 400,000 deep', format: 'ndjson', content: () => `${deep(400_000)}\n` },
  { name: 'a line of 50 MB', format: 'ndjson', content: () => `${row(1, { city: 'a'.repeat(50 * MB) })}\n` },
  { name: '20,000 invalid lines', format: 'ndjson', content: () => 'x\n'.repeat(20_000) },
  {
    name: '50,000 unknown fields',
    format: 'ndjson',
    content: () => `${row(1, Object.fromEntries(times(50_000, (n) => [`f${n}`, n])))}\n`,
  },
  {
    name: 'a new field in each line',
    format: 'ndjson',
    exitCode: SUCCESS,
    content: () => times(1_000, (n) => row(n, { [`f${n}`]: 1 })).join('\n'),
  },
  {
    name: 'fields named like inherited properties',
    format: 'ndjson',
    content: () => '{"__proto__":{"first_name":"A"},"constructor":1,"toString":"x"}\n'.repeat(100),
  },
  {
    name: 'escape sequences',
    format: 'ndjson',
    content: () => `${row(1, { first_name: escapes, [escapes]: escapes, email_address: escapes })}\n`,
  },
  {
    name: 'unknown fields of 340,000 objects',
    format: 'ndjson',
    resource: 'tags',
    exitCode: SUCCESS,
    content: () => `${row(1, { name: 'a', x: times(340_000, () => ({})) })}\n`.repeat(12),
  },
  {
    name: '19,000 invalid options',
    format: 'ndjson',
    resource: 'forms',
    content: () => `${row(1, { title: 'a', fields: [{ question: 'b', options: times(19_000, () => 1) }] })}\n`,
  },
  {
    name: 'fields 400,000 deep',
    format: 'csv',
    resource: 'forms',
    content: () => `id,title,fields\n1,a,"${deep(400_000)}"\n`,
  },
  {
    name: 'names of combining marks',
    format: 'ndjson',
    resource: 'form_responses',
    content: () => `${row(1, { form: 'a', answers: { [`a${'\u0300\u0316'.repeat(150_000)}`]: 'b' } })}\n`,
  },
  {
    name: '500,000 days',
    format: 'csv',
    resource: 'services',
    content: () => `id,title,days\n1,a,"${'b;'.repeat(500_000)}"\n`,
  },
  {
    name: 'lone surrogates and NUL',
    format: 'ndjson',
    resource: 'prayer_requests',
    content: () => times(500, (n) => row(n, { description: '\ud800', title: 'a\0', sender: '\udfff' })).join('\n'),
  },
  {
    name: '20,000 letters with combining marks',
    format: 'ndjson',
    resource: 'prayer_requests',
    content: () => `${row(1, { description: 'a\u0300\u0316'.repeat(20_000), title: '\u{16126}'.repeat(255) })}\n`,
  },
  {
    name: 'heads that refer to each other',
    format: 'ndjson',
    resource: 'departments',
    content: () => times(2_000, (n) => row(n, { name: `d${n % 10}`, head: `x${n + 1}` })).join('\n'),
  },
  {
    name: '10,000 unknown members',
    format: 'ndjson',
    resource: 'department_members',
    content: () => '{"department":"a","member":"mem_01j00000000000000000000001"}\n'.repeat(10_000),
  },
  {
    name: 'ids named like inherited properties',
    format: 'ndjson',
    resource: 'designations',
    exitCode: SUCCESS,
    content: () =>
      ['__proto__', 'constructor', 'toString'].map((name) => JSON.stringify({ external_id: name, name })).join('\n'),
  },
];
