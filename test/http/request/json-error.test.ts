import { expect, it } from 'vitest';
import { describeJsonError } from '../../../src/http/request/json-error.ts';

const TEXT = '{ "name": "Ada \\u00e9\\n", "list": [-1.5e+10, true, false, null, 0, {}, []] }';

it('reports where truncated JSON ends, for every length', () => {
  expect(() => JSON.parse(TEXT)).not.toThrow();
  for (let length = 0; length < TEXT.length; length += 1) {
    expect(describeJsonError(TEXT.slice(0, length)).split(';')[0]).toBe(
      `unexpected end of input at line 1, column ${length + 1}`,
    );
  }
});
