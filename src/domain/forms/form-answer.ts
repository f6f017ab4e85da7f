import { z } from 'zod';
import type { FieldError } from '../core/errors.ts';
import { unvalidatedField } from '../core/parse-input.ts';
import type { FieldType } from '../entities/form-field.ts';
import { MAX_ANSWERS, MAX_LONG_TEXT_CHARACTERS } from '../values/limits.ts';
import { unknownName } from '../values/similar-names.ts';
import { couldFit, hasShortMarkRuns, isStorable, text } from '../values/text.ts';
import { truncate, withArticle, withValue } from '../values/words.ts';

const longAnswer = text(MAX_LONG_TEXT_CHARACTERS);
const shortAnswer = text();
const numberAnswer = z.number();

/** The URL of a file, stored unchanged. */
const fileUrl = z
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
  file_upload: z.array(z.strictObject({ name: shortAnswer, url: fileUrl, size: z.number() })),
};

/** The structure of an answer, for error messages, if it is not a string. */
export const ANSWER_SHAPES: Readonly<Partial<Record<FieldType, string>>> = {
  multiple_choice: 'an array of options, as in ["Red", "Blue"]',
  number: 'a number',
  scale: 'a number',
  contact:
    'an object of first_name, last_name, email and phone, as in { "first_name": "Ada", "email": "ada@example.org" }',
  payment: 'an object of amount and currency, as in { "amount": 50, "currency": "USD" }',
  file_upload: 'an array of files, as in [{ "name": "map.pdf", "url": "https://example.org/map.pdf", "size": 1024 }]',
};

/** Whether every valid answer to a field of type `from` is structurally valid for type `to`. */
export function isTypeChangeSafe(from: FieldType, to: FieldType): boolean {
  const [fromSchema, toSchema] = [ANSWERS[from], ANSWERS[to]];
  return fromSchema === toSchema || (fromSchema === shortAnswer && toSchema === longAnswer);
}

/** What is wrong with an answer or a part of it. */
export interface AnswerProblem {
  /** The names and indexes that lead to the part; empty for the whole answer. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The value of an answer to store, or what is wrong with it. */
export type CheckedAnswer = { readonly value: unknown } | { readonly problems: readonly AnswerProblem[] };

/** Returns the errors of an answer, for the field or question that is its key. @param sent the answer, to echo it. */
export function answerErrors(key: string | number, problems: readonly AnswerProblem[], sent?: unknown): FieldError[] {
  return problems.map(({ path, message }) => ({
    field: truncate(['answers', key, ...path].join('.')),
    message: withValue(
      message,
      path.reduce((value, name) => unvalidatedField(value, String(name)), sent),
    ),
  }));
}

/**
 * Checks the structure of an answer by the type of its field, and normalizes its texts.
 *
 * @param shapeOf returns what the answer must be, for the error message.
 */
export function parseAnswer(type: FieldType, value: unknown, shapeOf = () => ANSWER_SHAPES[type]): CheckedAnswer {
  const schema = ANSWERS[type];
  const { success, data, error } = schema.safeParse(value, { error: partError });
  if (success) return { value: data };
  const isWrongType = error.issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
  if (isWrongType) return problem(`must be ${shapeOf() ?? 'a string'}, as its field is of type ${type}`);
  return { problems: error.issues.flatMap((issue) => problemsOf(issue, schema)) };
}

/** Returns the result for an answer that is wrong as a whole. */
export function problem(message: string): { readonly problems: readonly AnswerProblem[] } {
  return { problems: [{ path: [], message }] };
}

/** The message for a part that is missing or of the wrong type. */
function partError(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'required';
  // The only object within an answer is a file.
  return `must be ${withArticle(issue.expected)}${issue.expected === 'object' ? ' of name, url and size' : ''}`;
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType): AnswerProblem[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  const parts = schema instanceof z.ZodArray ? schema.element : schema;
  const names = parts instanceof z.ZodObject ? Object.keys(parts.shape) : [];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: unknownName('part', key, names) }));
}

const namesIn = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);

const NOT_AN_OBJECT = 'must be an object whose keys are ids of fields, for example { "12": "Yes" }';

/** Answers keyed by the fields of a form. {@link parseAnswer} checks the values. */
export const answersObject = z
  .unknown()
  // Zod silently drops this key.
  .refine((value) => !namesIn(value).includes('__proto__'), { error: 'the form has no field "__proto__"', abort: true })
  .refine((value) => namesIn(value).length <= MAX_ANSWERS, {
    error: `must be at most ${MAX_ANSWERS} answers`,
    abort: true,
  })
  // Names are normalized to match questions, which is slow for unbounded input.
  .refine(
    (value) => namesIn(value).every((name) => couldFit(MAX_LONG_TEXT_CHARACTERS, name) && hasShortMarkRuns(name)),
    {
      error: `must be keyed by fields, at most ${MAX_LONG_TEXT_CHARACTERS} characters each`,
      abort: true,
    },
  )
  .pipe(
    z.record(z.string().refine(isStorable, { error: 'must not contain NUL or a lone surrogate' }), z.unknown(), {
      error: ({ code }) => (code === 'invalid_type' ? NOT_AN_OBJECT : undefined),
    }),
  );
