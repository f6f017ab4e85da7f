import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../faults/support/instance.ts';
import { times } from '../../support/data.ts';
import type { Attack, Phase } from '../attack.ts';

const TIME_LIMIT_MS = 30_000;
/** The heap limit, less than a whole file would take. */
const MAX_HEAP_MB = 256;
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
          const path = join(folder, `${n}.${name.startsWith('NDJSON') ? 'ndjson' : 'csv'}`);
          writeFileSync(path, content());
          await importFile(attack, name, path);
        }
      };
      await Promise.all(times(AT_ONCE, importLeft));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function importFile(attack: Attack, name: string, path: string): Promise<void> {
  const words = ['import', '--organization', attack.target.organizationId, '--resource', 'members', '--dry-run', path];
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, 'dist/cli/main.js', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...attack.target.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  attack.count(code === 0 ? 200 : 400);
  const repeat = `npm run test:attacks -- --only imports (cms import --resource members, a file of ${name})`;
  if (code === null || !EXIT_CODES.includes(code))
    attack.report(`${name}: ended with ${code ?? 'a signal'}: ${output.slice(0, 300)}`, repeat);
  if (/^\s+at .*:\d+:\d+\)?$|RangeError|heap out of memory/m.test(output))
    attack.report(`${name}: reveals internals: ${output.slice(0, 500)}`, repeat);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal.
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b]/.test(output))
    attack.report(`${name}: control characters reach the terminal: ${JSON.stringify(output.slice(0, 300))}`, repeat);
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
};
