import { expect, it } from 'vitest';
import { StatementNames } from '../../src/store/statement-names.ts';
import { times } from '../support/data.ts';

/** The name of a statement after it was run five times. */
const nameAfterFive = (names: StatementNames, text: string) => times(5, () => names.nameOf(text)).at(-1);

it('names a statement when it is run for the fifth time, and keeps the name', () => {
  const names = new StatementNames();
  expect(times(4, () => names.nameOf('SELECT 1'))).toEqual(times(4, () => undefined));
  const name = names.nameOf('SELECT 1');
  expect(name).toMatch(/^\w+$/);
  expect(names.nameOf('SELECT 1')).toBe(name);
});

it('gives each statement a name of its own', () => {
  const names = new StatementNames();
  const all = times(300, (n) => nameAfterFive(names, `SELECT ${n}`));
  expect(new Set(all).size).toBe(300);
  expect(names.generation).toBe(0);
});

it('replaces the names after 300, in a new generation, and never reuses one', () => {
  const names = new StatementNames();
  const all = times(301, (n) => nameAfterFive(names, `SELECT ${n}`));
  expect(new Set(all).size).toBe(301);
  expect(names.generation).toBe(1);
  expect(names.nameOf('SELECT 0')).toBeUndefined();
  expect(names.nameOf('SELECT 300')).toBe(all.at(-1));
});
