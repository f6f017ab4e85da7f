import { describe, expect, it } from 'vitest';
import { patched } from './apply-steps.ts';
import { GROUPS } from './commands.ts';
import { blocksOf, stepsOf } from './page.ts';
import { expectPrinted } from './printed.ts';
import { commandsOf } from './shell.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

describe('a diff of a page', () => {
  const text = 'a {\n    one: 1,\n    two: 2, more\n}\n';

  it('adds lines after the line before them, or before the first one, in its indentation', () => {
    expect(patched(text, '  one:  1,\n+ half: 1.5,\n+ third: 1.3,', 'here')).toBe(
      'a {\n    one: 1,\n    half: 1.5,\n    third: 1.3,\n    two: 2, more\n}\n',
    );
    expect(patched(text, '+ zero: 0,\n  one: 1,', 'here')).toBe(
      'a {\n    zero: 0,\n    one: 1,\n    two: 2, more\n}\n',
    );
  });

  it('replaces the start of a line', () => {
    expect(patched(text, '- two: 2,\n+ two: 2, extra,', 'here')).toContain('    two: 2, extra, more\n');
  });

  it('is refused if its lines do not occur once', () => {
    expect(() => patched(text, '  three: 3,\n+ four: 4,', 'page.md:7')).toThrow(
      'page.md:7: no single place has “three: 3,”',
    );
  });
});

it('the steps of “Add an entity” are at most ten files, each with what is written to it', () => {
  const steps = stepsOf(ROOT, 'docs/contributing.md', 'Add an entity');
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.length).toBeLessThanOrEqual(10);
  for (const { file, source, blocks } of steps)
    expect([file, source !== undefined || blocks.length > 0]).toEqual([file, true]);
});

it('every block that is not run says why', () => {
  const pages = [...Object.values(GROUPS).flat(), 'docs/contributing.md'];
  const marks = pages.flatMap((page) => blocksOf(ROOT, page).flatMap(({ mark }) => mark ?? []));
  expect(marks.filter((mark) => !/^not run: \S.+/.test(mark))).toEqual([]);
});

it('output is compared line by line, with … for any text', () => {
  const output = '  Data  /tmp/x/.data\n  Key   cms_1\n';
  expect(() => expectPrinted(output, 'Data …/.data\nKey cms_…')).not.toThrow();
  expect(() => expectPrinted(output, 'Key cms_…\nData …')).toThrow('“Data …” is not in');
});

it('a command can have several lines and a comment', () => {
  expect(commandsOf('# first\none \\\n  --two # why\n\nthree')).toEqual(['one --two', 'three']);
});
