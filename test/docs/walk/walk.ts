import { basename } from 'node:path';
import type { Outcome } from '../../runner/run-suite.ts';
import { GROUPS, walkCommands } from './commands.ts';
import { walkContributing } from './contributing.ts';
import { walkReadme } from './readme.ts';

const report = (line: string) => process.stdout.write(`${line}\n`);

/** Follows documents as a reader does. @param names of pages, `operations`; by default all. */
export async function walkDocuments(root: string, names: readonly string[] = []): Promise<Outcome> {
  const isSelected = (page: string) => names.length === 0 || names.includes(basename(page, '.md').toLowerCase());
  const groups = Object.entries(GROUPS).map(([kind, pages]) => {
    // A page can need what the pages before it set up.
    const selected = pages.slice(0, pages.findLastIndex(isSelected) + 1);
    const walk = () => walkCommands(root, kind as keyof typeof GROUPS, selected, report);
    return [selected.join(', '), selected.length > 0 ? walk : undefined] as const;
  });
  const walks: readonly (readonly [string, (() => Promise<Outcome>) | undefined])[] = [
    ...groups,
    ['docs/contributing.md', isSelected('contributing') ? () => walkContributing(root) : undefined],
    ['README.md', isSelected('readme') ? () => walkReadme(root) : undefined],
  ];
  const outcomes: Outcome[] = [];
  for (const [name, walk] of walks) {
    if (!walk) continue;
    const startedAt = performance.now();
    const failed = ({ message }: Error) => ({ passed: 0, failures: [`${name}: ${message}`], unstable: [] });
    const outcome = await walk().catch(failed);
    outcomes.push(outcome);
    report(
      `${name}: ${outcome.passed} passed, ${outcome.failures.length} failed, ${Math.round((performance.now() - startedAt) / 1_000)} s`,
    );
  }
  const passed = outcomes.reduce((sum, one) => sum + one.passed, 0);
  return { passed, failures: outcomes.flatMap(({ failures }) => failures), unstable: [] };
}
