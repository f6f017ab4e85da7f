import { z } from 'zod';
import { quote } from '../core/errors.ts';
import { MAX_ANSWERS, MAX_LONG_TEXT_CHARACTERS } from '../core/limits.ts';
import type { FieldType } from '../entities/form-field.ts';
import { couldFit, hasShortMarkRuns, isStorable, text } from '../values/text.ts';

const longAnswer = text(MAX_LONG_TEXT_CHARACTERS);
const shortAnswer = text();
const numberAnswer = z.number();

/** The address of a file, which is kept as it was sent. */
const address = z
  .string()
  .max(MAX_LONG_TEXT_CHARACTERS, { error: `must be at most ${MAX_LONG_TEXT_CHARACTERS} characters` })
  .refine(isStorable, { error: 'must not contain NUL or a lone surrogate' });

/** The schema of an answer by the type of its field. */
const ANSWERS: Readonly<Record<FieldType, z.ZodType>> = {
  short_answer: longAnswer,
  paragraph: longAnswer,
  email: longAnswer,
  phone_number: longAnswer,
  date: longAnswer,
  time: longAnswer,
  dropdown: shortAnswer,
  single_choice: shortAnswer,
  multiple_choice: z.array(shortAnswer),
  number: numberAnswer,
  scale: numberAnswer,
  contact: z.strictObject({
    first_name: shortAnswer.nullish(),
    last_name: shortAnswer.nullish(),
    email: shortAnswer.nullish(),
    phone: shortAnswer.nullish(),
  }),
  payment: z.strictObject({ amount: z.number(), currency: shortAnswer, status: shortAnswer }),
  file_upload: z.array(z.strictObject({ name: shortAnswer, url: address, size: z.number() })),
};

/** The structure of an answer, for error messages, if it is not a string. */
const SHAPES: Readonly<Partial<Record<FieldType, string>>> = {
  multiple_choice: 'an array of strings',
  number: 'a number',
  scale: 'a number',
  contact: 'an object of first_name, last_name, email and phone',
  payment: 'an object of amount, currency and status',
  file_upload: 'an array of objects of name, url and size',
};

/** Whether every valid answer to a field of type `from` is structurally valid for type `to`. */
export function isTypeChangeSafe(from: FieldType, to: FieldType): boolean {
  const [fromSchema, toSchema] = [ANSWERS[from], ANSWERS[to]];
  return fromSchema === toSchema || (fromSchema === shortAnswer && toSchema === longAnswer);
}

/** The value of an answer to store, or an error message. An answer with parts can have an error for each of them. */
export type CheckedAnswer =
  | { readonly value: unknown }
  | { readonly problem: string }
  | { readonly problemsByPart: Readonly<Record<string, string>> };

/** Checks the structure of an answer by the type of its field, and normalizes its texts. */
export function parseAnswer(type: FieldType, value: unknown): Exclude<CheckedAnswer, { problemsByPart: unknown }> {
  const { success, data, error } = ANSWERS[type].safeParse(value);
  if (success) return { value: data };
  const [issue] = error.issues;
  // Only the checks of texts have custom messages.
  if (issue?.code === 'custom' && error.issues.every(({ code }) => code === 'custom')) {
    const part = issue.path.findLast((key) => typeof key === 'string');
    return { problem: part === undefined ? issue.message : `${part} ${issue.message}` };
  }
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys')?.keys[0];
  const reason = unknown === undefined ? '' : `; ${quote(unknown)} is unknown`;
  return { problem: `must be ${SHAPES[type] ?? 'a string'}, as its field is of type ${type}${reason}` };
}

const keysOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);

/** Answers keyed by the fields of a form. {@link parseAnswer} checks the values. */
export const answersObject = z
  .unknown()
  // Zod silently drops this key.
  .refine((value) => !keysOf(value).includes('__proto__'), { error: 'the form has no field "__proto__"', abort: true })
  .refine((value) => keysOf(value).length <= MAX_ANSWERS, {
    error: `must be at most ${MAX_ANSWERS} answers`,
    abort: true,
  })
  // Names are normalized to match questions, which is slow for unbounded input.
  .refine(
    (value) => keysOf(value).every((name) => couldFit(MAX_LONG_TEXT_CHARACTERS, name) && hasShortMarkRuns(name)),
    {
      error: `must be keyed by fields, at most ${MAX_LONG_TEXT_CHARACTERS} characters each`,
      abort: true,
    },
  )
  .pipe(z.record(z.string().refine(isStorable, { error: 'must not contain NUL or a lone surrogate' }), z.unknown()));
