import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { times } from '../../support/data.ts';
import type { Attack, Phase } from '../attack.ts';
import { runCommand } from '../command.ts';

const AT_ONCE = 2;
const MB = 2 ** 20;

/** Exit codes of `cms import`: success, an invalid file, invalid usage, rejected rows. */
const EXIT_CODES = [0, 1, 2, 3];

/** Malicious files: the command must reject them or their rows, with limited time and memory. */
export const imports: Phase = {
  name: 'imports',
  about: 'CSV and NDJSON files with huge headers, rows and values, imported by the command',
  async run(attack) {
    const folder = mkdtempSync(join(tmpdir(), 'cms-attack-'));
    try {
      const left = Object.entries(FILES).entries();
      const importLeft = async () => {
        for (const [n, [name, content]] of left) {
          // Names are like `CSV of events, a million days`; files are of members by default.
          const [, format = '', resource = 'members'] = /^(\w+)(?: of (\w+))?/.exec(name) ?? [];
          const path = join(folder, `${n}.${format.toLowerCase()}`);
          writeFileSync(path, content());
          await importFile(attack, name, resource, path);
          rmSync(path);
        }
      };
      await Promise.all(times(AT_ONCE, importLeft));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function importFile(attack: Attack, name: string, resource: string, path: string): Promise<void> {
  const { organizationId, environment } = attack.target;
  const composed = name.endsWith('composed ids') ? ['--external-id', 'title'] : [];
  const args = ['import', '--organization', organizationId, '--resource', resource, '--dry-run', ...composed, path];
  await runCommand(attack, 'imports', { name, args, environment, exitCodes: EXIT_CODES });
}

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

const FILES: Readonly<Record<string, () => string | Buffer>> = {
  'CSV, a header of 50 MB': () => 'a'.repeat(50 * MB),
  'CSV, a header of a million columns': () => `${'a,'.repeat(1_000_000)}\n1\n`,
  'CSV, an unclosed quote': () => `${HEADER}\n"${'a,b\n'.repeat(10 * MB)}`,
  'CSV, a row of 50 MB': () => `${HEADER}\nx,${'a'.repeat(50 * MB)},B,a@example.org\n`,
  'CSV, a row of ten million columns': () => `${HEADER}\n${','.repeat(10_000_000)}\n`,
  'CSV, a million empty lines': () => `${HEADER}\n${'\n'.repeat(1_000_000)}`,
  'CSV, NUL bytes': () => Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.alloc(5 * MB)]),
  'CSV, UTF-16': () => Buffer.from(`\ufeff${HEADER}\nx,A,B,a@example.org\n`, 'utf16le'),
  'CSV, broken UTF-8': () => Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.alloc(100_000, 0xff)]),
  'CSV, escape sequences': () => `${HEADER},${escapes}\n${escapes},${escapes},B,${escapes}\n`,
  'CSV, formulas': () => `${HEADER}\n=1+1,=cmd|' /C calc'!A0,B,@SUM(1)\n`,
  'CSV, combining marks': () =>
    `${HEADER}\nx,${'a\u0300\u0316'.repeat(1)}${'\u0300\u0316'.repeat(150_000)},B,a@example.org\n`,
  'CSV, 20,000 invalid rows': () => `${HEADER}\n${times(20_000, (n) => `x${n},,,none`).join('\n')}\n`,
  'CSV, one person 2,000 times': () => `${HEADER}\n${times(2_000, () => 'x,A,B,a@example.org').join('\n')}\n`,
  'CSV, duplicate columns': () => `${times(900, () => 'first_name').join()}\n${times(900, () => 'A').join()}\n`,
  'NDJSON, lists 400,000 deep': () => `${'['.repeat(400_000)}${']'.repeat(400_000)}\n`,
  'NDJSON, objects 100,000 deep': () => `{"first_name":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}\n`,
  'NDJSON, a line of 50 MB': () => `${row(1, { city: 'a'.repeat(50 * MB) })}\n`,
  'NDJSON, a line without an end': () => '{"first_name":"'.padEnd(50 * MB, 'a'),
  'NDJSON, 100,000 invalid lines': () => 'x\n'.repeat(100_000),
  'NDJSON, 50,000 unknown fields': () => `${row(1, Object.fromEntries(times(50_000, (n) => [`f${n}`, n])))}\n`,
  'NDJSON, a new field in each line': () => times(5_000, (n) => row(n, { [`f${n}`]: 1 })).join('\n'),
  'NDJSON, prototypes': () => '{"__proto__":{"first_name":"A"},"constructor":1,"toString":"x"}\n'.repeat(100),
  'NDJSON, escape sequences': () => `${row(1, { first_name: escapes, [escapes]: escapes, email_address: escapes })}\n`,
  'NDJSON, thousands of tags': () => `${row(1, { tags: times(20_000, (n) => `t${n}`) })}\n`,
  'CSV, 16 rows of a million delimiters': () => `${HEADER}\n${`${','.repeat(1_000_000)}\n`.repeat(16)}`,
  'CSV, three kinds of line ends': () => `${HEADER}\r\n${'x,A,B,a@example.org\ny,A,B,b@example.org\r\n\r'.repeat(500)}`,
  'NDJSON, rows of 340,000 empty objects': () => `${row(1, { tags: times(340_000, () => ({})) })}\n`.repeat(16),
  'NDJSON of tags, unknown fields of 340,000 objects': () =>
    `${row(1, { name: 'a', x: times(340_000, () => ({})) })}\n`.repeat(16),
  'NDJSON of forms, 19,000 invalid options': () =>
    `${row(1, { title: 'a', fields: [{ question: 'b', options: times(19_000, () => 1) }] })}\n`.repeat(2),
  'CSV of forms, fields 400,000 deep': () => `id,title,fields\n1,a,${deep(400_000)}\n`,
  'CSV of form_responses, answers 400,000 deep': () => `id,form,answers\n1,a,${deep(400_000)}\n`,
  'NDJSON of form_responses, names of combining marks': () =>
    `${row(1, { form: 'a', answers: { [`a${'\u0300\u0316'.repeat(150_000)}`]: 'b' } })}\n`,
  'CSV of events, days 400,000 deep': () => `id,title,dates\n1,a,${deep(400_000)}\n`,
  'NDJSON of events, 40,000 days': () => `${row(1, { title: 'a', dates: times(40_000, () => '2026-01-01') })}\n`,
  'NDJSON of events, objects in composed ids': () =>
    `${JSON.stringify({ title: { toString: 1 } })}\n${JSON.stringify({ title: [[{ valueOf: 1 }]] })}\n`,
  'NDJSON of events, times beyond the years of the database': () =>
    times(1_000, (n) => row(n, { title: 'a', created_at: '9999-12-31T23:59:59-23:59', updated_at: 1e300 })).join('\n'),
  'CSV of services, 500,000 days': () => `id,title,days\n${`1,a,"${'b;'.repeat(500_000)}"\n`.repeat(4)}`,
  'NDJSON of prayer_requests, lone surrogates and NUL': () =>
    times(1_000, (n) => row(n, { description: '\ud800', title: 'a\0', sender: '\udfff' })).join('\n'),
  'NDJSON of prayer_requests, 10,000 letters with combining marks': () =>
    `${row(1, { description: 'a\u0300\u0316'.repeat(20_000), title: '\u{16126}'.repeat(255) })}\n`.repeat(5),
  'NDJSON of departments, heads that refer to each other': () =>
    times(2_000, (n) => row(n, { name: `d${n % 10}`, head: `x${n + 1}` })).join('\n'),
  'NDJSON of department_members, 50,000 unknown members': () =>
    '{"department":"a","member":"mem_01j00000000000000000000001"}\n'.repeat(50_000),
  'NDJSON of designations, the ids of prototypes': () =>
    ['__proto__', 'constructor', 'toString'].map((name) => JSON.stringify({ external_id: name, name })).join('\n'),
};

function deep(levels: number): string {
  return `"${'['.repeat(levels)}${']'.repeat(levels)}"`;
}
