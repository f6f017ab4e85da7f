import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const SHOWN = 25;

/** The distribution of time in the CPU profiles of a folder: by package or source folder, then by function. */
export async function profileSummary(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).sort();
  const parts = await Promise.all(
    files.map(async (file) => {
      const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile;
      return `${file}\n${summary(profile)}`;
    }),
  );
  return parts.join('\n');
}

function summary({ nodes, samples, timeDeltas }: Profile): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  const byPlace = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const time = timeDeltas[index] ?? 0;
    if (!frame || frame.functionName === '(idle)') continue;
    busy += time;
    const place = placeOf(frame.url);
    const name = `${frame.functionName || '(anonymous)'} ${place}:${frame.lineNumber + 1}`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + time);
    byPlace.set(place, (byPlace.get(place) ?? 0) + time);
  }
  return [byPlace, byFunction].map((times) => top(times, busy)).join('\n');
}

function top(times: ReadonlyMap<string, number>, whole: number): string {
  return [...times]
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN)
    .map(([name, time]) => `${((100 * time) / whole).toFixed(1).padStart(6)} %  ${name}\n`)
    .join('');
}

/** A package name, a file of this program, or an internal module of Node.js. */
function placeOf(url: string): string {
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (dependency?.[1]) return dependency[1];
  return url.replace(/^file:\/\/.*\/(dist|src|test)\//, '$1/') || '(node)';
}
