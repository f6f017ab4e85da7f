import { expect, it } from 'vitest';
import { Abort } from '../../src/store/abort.ts';

it('listeners are called once, on abort, with the first reason set', () => {
  const abort = new Abort();
  const reasons: unknown[] = [];
  abort.addListener(() => reasons.push(abort.reason?.message));
  abort.abort(new Error('first'));
  abort.abort(new Error('second'));
  expect(reasons).toEqual(['first']);
});

it('a listener that is added after the abort is called immediately', () => {
  const abort = new Abort();
  abort.abort(new Error('gone'));
  const reasons: unknown[] = [];
  abort.addListener(() => reasons.push(abort.reason?.message));
  expect(reasons).toEqual(['gone']);
});

it('removed listeners are not called', () => {
  const abort = new Abort();
  const listener = () => expect.unreachable();
  abort.addListener(listener);
  abort.removeListener(listener);
  abort.abort(new Error('gone'));
});
