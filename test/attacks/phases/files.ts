import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROOT } from '../../faults/support/instance.ts';
import { times } from '../../support/data.ts';
import type { Attack, Phase } from '../attack.ts';

const MB = 2 ** 20;
const TIME_LIMIT_MS = 30_000;
/** The heap limit, less than a whole file would take. */
const MAX_HEAP_MB = 256;
/** Exit codes of `cms`. */
const [SUCCESS, INVALID_FILE, REJECTED_ROWS] = [0, 1, 3];

const HEADER = 'external_id,first_name,last_name,email_address';
const escapes = '\u001b]0;title\u0007\u001b[31m\u009b2J\u0000\u0008';
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const row = (n: number, fields: object) => JSON.stringify({ external_id: `x${n}`, ...fields });

/** Files to import by name, which begins with the resource: the exit code, and the content. */
const IMPORTS: Readonly<Record<string, readonly [exitCode: number, content: () => string]>> = {
  'members with an unclosed quote.csv': [INVALID_FILE, () => `${HEADER}\n"${'a,b\n'.repeat(10 * MB)}`],
  'members with escape sequences.csv': [
    REJECTED_ROWS,
    () => `${HEADER},${escapes}\n${escapes},${escapes},B,${escapes}\n`,
  ],
  'members with a million delimiters.csv': [REJECTED_ROWS, () => `${HEADER}\n${`${','.repeat(MB)}\n`.repeat(2)}`],
  'members on a line of 50 MB.ndjson': [REJECTED_ROWS, () => row(1, { city: 'a'.repeat(50 * MB) })],
  'members in lists 400,000 deep.ndjson': [REJECTED_ROWS, () => deep(400_000)],
  'tags with 340,000 objects.ndjson': [
    SUCCESS,
    () => `${row(1, { name: 'a', x: times(340_000, () => ({})) })}\n`.repeat(12),
  ],
  'form_responses with marks.ndjson': [
    REJECTED_ROWS,
    () => row(1, { form: 'a', answers: { [`a${'\u0300\u0316'.repeat(150_000)}`]: 'b' } }),
  ],
  'departments with heads that refer to each other.ndjson': [
    REJECTED_ROWS,
    () => times(2_000, (n) => row(n, { name: `d${n % 10}`, head: `x${n + 1}` })).join('\n'),
  ],
};

/** Backups by name, made from the lines of a valid one. */
const BACKUPS: Readonly<Record<string, (lines: readonly string[]) => Buffer>> = {
  'of a newer schema': ([header = '', ...lines]) => {
    const { migrations, ...others } = JSON.parse(header);
    const newer = { ...others, migrations: [...migrations, { name: `3000${escapes}`, checksum: escapes }] };
    return compress([JSON.stringify(newer), ...lines].join('\n'));
  },
  'with an object three million levels deep': ([header]) => compress(`${header}\n${'{"a":'.repeat(3_000_000)}`),
  'with a row five million levels deep': (lines) => compress([...lines.slice(0, 2), deep(5_000_000)].join('\n')),
  'with four rows of 15 MB': (lines) => {
    const rows = times(4, () => JSON.stringify(['a'.repeat(15 * MB)]));
    return compress([...lines.slice(0, 2), ...rows].join('\n'));
  },
  'with 100 million empty rows': ([header]) =>
    Buffer.concat([compress(`${header}\n`), ...times(10, () => compress('[]\n'.repeat(10_000_000)))]),
};

const compress = (text: string) => gzipSync(text, { level: 1 });

/** Huge and malicious files: the commands that read them must reject them with limited time and memory. */
export const files: Phase = {
  name: 'files',
  about: 'files of huge rows, values and lines, imported and restored by the command',
  async run(attack) {
    const { organizationId, environment } = attack.target;
    const folder = mkdtempSync(join(tmpdir(), 'cms-attack-'));
    const check = (name: string, exitCode: number, ...args: string[]) =>
      runCommand(attack, { name, exitCode, args, environment });
    try {
      for (const [name, [exitCode, content]] of Object.entries(IMPORTS)) {
        const path = join(folder, name);
        writeFileSync(path, content());
        const [resource = ''] = name.split(' ');
        await check(
          name,
          exitCode,
          'import',
          '--organization',
          organizationId,
          '--resource',
          resource,
          '--dry-run',
          path,
        );
        rmSync(path);
      }
      const intact = join(folder, 'intact.gz');
      await check('the records', SUCCESS, 'backup', intact);
      const lines = gunzipSync(readFileSync(intact)).toString().split('\n').slice(0, -1);
      for (const [name, content] of Object.entries(BACKUPS)) {
        const path = join(folder, 'backup.gz');
        writeFileSync(path, content(lines));
        await runCommand(attack, {
          name: `a backup ${name}`,
          exitCode: INVALID_FILE,
          args: ['restore', path],
          environment: { DATA_DIR: join(folder, 'data') },
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** A command of `cms` that reads a malicious file. */
interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly exitCode: number;
}

/** Reports a command that takes too much time or memory, ends with another exit code, or prints internals or control characters. */
async function runCommand(attack: Attack, { name, args, environment, exitCode }: Command): Promise<void> {
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, 'dist/cli/main.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  attack.count(code === 0 ? 200 : 400);
  const repeat = `npm run test:attacks -- --only files (cms ${args.join(' ')})`;
  if (code !== exitCode) attack.report(`${name}: ended with ${code ?? 'a signal'}: ${output.slice(-300)}`, repeat);
  if (/^\s+at .*:\d+:\d+\)?$|RangeError|TypeError|call stack size|heap out of memory|stopped responding/m.test(output))
    attack.report(`${name}: reveals internals: ${output.slice(0, 500)}`, repeat);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal.
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b]/.test(output))
    attack.report(`${name}: control characters reach the terminal: ${JSON.stringify(output.slice(0, 300))}`, repeat);
}
