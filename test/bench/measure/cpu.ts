import { readFile } from 'node:fs/promises';

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

/** The usage of a process so far. */
interface Usage {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** The usage of processes so far, by id, except for those that are unavailable (ended, or not on Linux). */
export async function usageOf(pids: readonly number[]): Promise<Map<number, Usage>> {
  const usages = await Promise.all(pids.map(async (pid) => [pid, await usage(pid)] as const));
  return new Map(usages.flatMap(([pid, used]) => (used ? [[pid, used]] : [])));
}

/** Milliseconds of CPU time used by processes between two measurements. */
export function cpuBetween(before: Map<number, Usage>, after: Map<number, Usage>): number {
  let sum = 0;
  for (const [pid, { cpuMs }] of after) sum += cpuMs - (before.get(pid)?.cpuMs ?? 0);
  return sum;
}

/** A process with all of its descendants. */
export async function familyOf(pid: number): Promise<number[]> {
  const written = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = written.split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()];
}

/** See proc(5): the fields after the name, which may contain spaces; 14 and 15 are user and system time, 24 pages. */
async function usage(pid: number): Promise<Usage | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (!stat) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return { cpuMs: (field(14) + field(15)) * TICK_MS, memoryBytes: field(24) * PAGE_BYTES };
}
