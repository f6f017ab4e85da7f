import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import { type Columns, formatRow, inMb, print, randomTestCommand, wholeNumber } from '../support/load/harness.ts';
import { createAttack, type Finding, type Phase, type Tally } from './attack.ts';
import { bursts } from './phases/bursts.ts';
import { cache } from './phases/cache.ts';
import { documents } from './phases/documents.ts';
import { fairness } from './phases/fairness.ts';
import { federation } from './phases/federation.ts';
import { files } from './phases/files.ts';
import { generated } from './phases/generated.ts';
import { oneKey } from './phases/one-key.ts';
import { startTarget, type Target } from './target.ts';
import { warmUp } from './warm-up.ts';

const PHASES: readonly Phase[] = [documents, bursts, cache, files, federation, oneKey, fairness, generated];

/** The maximum memory growth from the warm-up to the end of the attacks. */
const MAX_GROWTH_BYTES = 30 * 2 ** 20;

/** Without requests, the service releases its unused memory within this time. */
const SETTLE_MS = 20_000;

/** The time in which V8 returns memory to the system after a garbage collection. */
const MEMORY_RETURN_MS = 2_000;

/** The level of warnings in the log. */
const WARNING = 40;

const { requests, seed, only, databaseUrl } = randomTestCommand(
  'test:attacks',
  'Attacks the built service over HTTP, and checks response times, failures and memory.',
)
  .option('--requests <number>', 'the number of generated requests', wholeNumber, 100_000)
  .addOption(new Option('--only <phases...>', 'run only these phases').choices(PHASES.map(({ name }) => name)))
  .addHelpText(
    'after',
    `\nPhases:\n${PHASES.map(({ name, about }) => `  ${name.padEnd(15)}${about}`).join('\n')}\n
The longest delay is that of the event loop, without the processor time of other processes.
Exit codes: 0 no findings, 1 findings.`,
  )
  .parse()
  .opts<{ requests: number; seed: number; only?: string[]; databaseUrl?: string }>();

interface Row extends Omit<Tally, 'findings' | 'notes'> {
  readonly phase: string;
  readonly memoryBytes: number;
  readonly heapBytes: number;
  readonly seconds: number;
}

async function attackAll(target: Target): Promise<readonly Finding[]> {
  const rows: Row[] = [];
  const findings: Finding[] = [];
  print(`seed ${seed}, on ${target.database}`);
  print(formatRow(COLUMNS));
  const run = async (phase: Phase) => {
    const { row, found } = await runPhase(phase, target);
    rows.push(row);
    findings.push(...found);
    print(formatRow(COLUMNS, row));
  };
  await run(warmUp);
  const before = await settledMemory(target);
  for (const phase of PHASES.filter(({ name }) => only?.includes(name) ?? true)) await run(phase);
  const after = await settledMemory(target);
  const memory = `memory without requests: ${inMb(before)} MB after the warm-up, ${inMb(after)} MB after the attacks`;
  print(memory);
  if (after - before > MAX_GROWTH_BYTES) findings.push({ phase: 'all', what: memory, repeat: again(only ?? []) });
  print(findings.length === 0 ? '\nNothing was found.' : `\n${findings.length} findings`);
  for (const { phase, what, repeat } of findings) print(`\n${phase}: ${what}\n  ${repeat}`);
  return findings;
}

async function runPhase(phase: Phase, target: Target): Promise<{ row: Row; found: Finding[] }> {
  // Each run starts with the warm-up.
  const repeat = again(phase === warmUp ? [] : [phase.name]);
  const { attack, tally, close } = createAttack(target, phase.name, { seed, requests });
  const logged = target.service.output().length;
  const started = performance.now();
  try {
    await target.service.longestDelay();
    await phase.run(attack);
    for (const warning of warningsIn(target.service.output().slice(logged)))
      attack.report(`the service logs: ${warning}`, repeat);
  } catch (error) {
    attack.report(`the phase did not end: ${(error as Error).stack}`, repeat);
  } finally {
    close();
  }
  const seconds = Math.round((performance.now() - started) / 1_000);
  const { findings, notes, ...figures } = tally;
  for (const note of notes) print(note);
  const { rss, heapUsed } = await target.service.sample();
  // Code is compiled during the warm-up: only its responses count.
  const found = phase === warmUp ? findings.filter(({ what }) => !what.includes('event loop')) : findings;
  return { row: { phase: phase.name, ...figures, memoryBytes: rss, heapBytes: heapUsed, seconds }, found };
}

/** The resident memory of the service in bytes after some time without requests. */
async function settledMemory({ service }: Target): Promise<number> {
  await sleep(SETTLE_MS);
  // Each sample first runs a garbage collection, after which V8 returns memory in the background.
  const first = await service.sample();
  await sleep(MEMORY_RETURN_MS);
  return Math.min(first.rss, (await service.sample()).rss);
}

/** Log lines from level warn, and warnings of Node.js; each message once with its count. */
function warningsIn(output: string): string[] {
  const counts = new Map<string, number>();
  for (const line of output.split('\n')) {
    const message = warningOf(line);
    if (message) counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  return [...counts].map(([message, count]) => `${message} (${count} times)`);
}

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message: string };
  /** The cause of a fault that lasts, such as an unavailable server. */
  readonly reason?: string | undefined;
}

function warningOf(line: string): string | undefined {
  if (!line.startsWith('{"level"')) return /^\(node:|FATAL|Error:/.test(line) ? line.slice(0, 300) : undefined;
  const { level, msg, err, reason = err?.message } = JSON.parse(line) as LogLine;
  return level >= WARNING ? [msg, reason].filter(Boolean).join(': ') : undefined;
}

function again(phases: readonly string[]): string {
  const chosen = phases.length > 0 ? ` --only ${phases.join(' ')}` : '';
  return `npm run test:attacks -- --seed ${seed} --requests ${requests}${chosen}`;
}

const COLUMNS: Columns<Row> = [
  ['phase', ({ phase }) => phase],
  ['requests', ({ requests }) => requests],
  ['refused', ({ refused }) => refused],
  ['delay ms', ({ longestDelay }) => Math.round(longestDelay)],
  ['slowest ms', ({ longestResponse }) => Math.round(longestResponse)],
  ['memory MB', ({ memoryBytes }) => inMb(memoryBytes)],
  ['heap MB', ({ heapBytes }) => inMb(heapBytes)],
  ['seconds', ({ seconds }) => seconds],
];

const target = await startTarget(databaseUrl);
try {
  const findings = await attackAll(target);
  if (findings.length > 0) process.exitCode = 1;
} finally {
  await target.remove();
}
