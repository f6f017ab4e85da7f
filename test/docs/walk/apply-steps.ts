import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Step } from './page.ts';

/** Applies the steps of a section to a copy of the repository. @throws if a step does not fit. */
export function applySteps(folder: string, steps: readonly Step[]): void {
  for (const { file, source, blocks } of steps) {
    const path = join(folder, file);
    if (source && existsSync(path)) appendFileSync(path, `\n${readFileSync(join(folder, source), 'utf8')}`);
    else if (source) {
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(join(folder, source), path);
    }
    for (const { language, text, place } of blocks) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, language === 'diff' ? patched(readFileSync(path, 'utf8'), text, place) : `${text}\n`);
    }
  }
}

/**
 * Returns a text with the changes of a diff. Added lines come after the line before them in the diff, or before the first
 * one. A removed line is the start of a line, which the added one replaces. These lines occur once in the text, in any
 * indentation.
 */
export function patched(text: string, diff: string, place: string): string {
  const lines = text.split('\n');
  const indexOf = (wanted: string, isStart: boolean): number => {
    const trimmed = collapsed(wanted);
    const found = lines.flatMap((line, index) =>
      collapsed(line) === trimmed || (isStart && collapsed(line).startsWith(trimmed)) ? [index] : [],
    );
    if (found.length === 1) return found[0] as number;
    throw new Error(`${place}: ${found.length} lines are “${trimmed}”`);
  };
  const changes = diff.split('\n').map((line) => ({ kind: line.charAt(0), text: line.slice(2).trimEnd() }));
  let anchor: string | undefined;
  /** The lines before the added one; if the last of them is unique, the others need not be there. */
  let before: readonly string[] = [];
  const indexAfter = (wanted: readonly string[]): number => {
    const trimmed = wanted.map(collapsed);
    const isAt = (end: number, length: number) =>
      trimmed.slice(-length).every((line, n) => collapsed(lines[end - length + 1 + n] ?? '') === line);
    for (let length = 1; length <= trimmed.length; length += 1) {
      const ends = lines.flatMap((_, end) => (isAt(end, length) ? [end] : []));
      if (ends.length === 1) return ends[0] as number;
    }
    throw new Error(`${place}: no single place has “${trimmed.join('” “')}”`);
  };
  for (const [index, { kind, text: line }] of changes.entries()) {
    if (kind === '-') {
      const at = indexOf(line, true);
      const added = changes[index + 1]?.text ?? '';
      lines[at] = (lines[at] ?? '').replace(line.trim(), added.trim());
    } else if (kind === '+' && changes[index - 1]?.kind !== '-') {
      const next = changes.slice(index).find((change) => change.kind !== '+')?.text ?? '';
      const at = anchor === undefined ? indexOf(next, false) : indexAfter(before) + 1;
      const neighbor = lines[anchor === undefined ? at : at - 1] ?? '';
      const column = (anchor ?? next).search(/\S/);
      lines.splice(at, 0, `${/^ */.exec(neighbor)?.[0]}${line.slice(Math.min(column, line.search(/\S/)))}`);
      if (anchor !== undefined) [anchor, before] = [line, [...before, line]];
    } else if (kind !== '+') [anchor, before] = [line, changes[index - 1]?.kind === ' ' ? [...before, line] : [line]];
  }
  return lines.join('\n');
}

function collapsed(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ');
}
