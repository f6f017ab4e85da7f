import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineRecord } from '../../../src/rest/record-shape.ts';

const inner = z.object({ kept: z.string().nullable() });
const whole = {
  text: 'a',
  object: { kept: 'b' },
  optional: { kept: null },
  list: [{ kept: 'c' }, { kept: 'd' }],
  optionalList: [{ kept: 'e' }],
  free: { any: { thing: 1 } },
};
const shape = defineRecord(
  z.object({
    text: z.string(),
    object: inner,
    optional: inner.nullable(),
    list: z.array(inner),
    optionalList: z.array(inner).nullable(),
    free: z.record(z.string(), z.unknown()),
  }),
  { id: 'RecordOfTest', description: 'A record.', example: whole },
);

it('includes exactly the fields of the schema, at every depth', () => {
  const secret = { secret: 'x' };
  const present = shape.present({
    ...secret,
    ...whole,
    object: { ...whole.object, ...secret },
    optional: { ...whole.optional, ...secret },
    list: whole.list.map((one) => ({ ...secret, ...one })),
    optionalList: whole.optionalList.map((one) => ({ ...secret, ...one })),
  });
  expect(present).toEqual(whole);
});

it('keeps null if a field is nullable', () => {
  expect(shape.present({ ...whole, optional: null, optionalList: null })).toEqual({
    ...whole,
    optional: null,
    optionalList: null,
  });
});

it('orders fields as in the schema, whatever their order in the input', () => {
  const reversed = Object.fromEntries(Object.entries(whole).reverse()) as typeof whole;
  expect(Object.keys(shape.present(reversed))).toEqual(Object.keys(shape.fields));
  expect(Object.keys(shape.fields)).toEqual(Object.keys(whole));
});
