import { z } from 'zod';
import type { FieldError } from '../core/errors.ts';
import type { ContactParts, FieldType, FormField } from '../entities/form-field.ts';
import { parsePhoneNumber } from '../values/phone.ts';
import { suggestion } from '../values/similar-names.ts';
import { calendarDate, emailAddress } from '../values/text.ts';
import { quote, truncate } from '../values/words.ts';
import {
  ANSWER_SHAPES,
  type AnswerProblem,
  answerErrors,
  type CheckedAnswer,
  parseAnswer,
  problem,
} from './form-answer.ts';

type Answers = Readonly<Record<string, unknown>>;

/** The form that answers are checked against. */
interface Form {
  readonly fields: readonly FormField[];
  /** The country of phone numbers without a country code: ISO 3166-1 alpha-2. */
  readonly country: string;
}

/**
 * Checks the answers of a response by the fields of its form. Null, blank text, empty lists and empty objects do not count
 * as answers to a field of any type, and are left out.
 *
 * @param answers keyed by the ids of fields.
 * @returns the answers to store, or an error for each field that is unknown, missing or invalid.
 */
export function checkAnswers({ fields, country }: Form, answers: Answers): { answers: Answers } | FieldError[] {
  const errors = unknownAnswers(fields, Object.keys(answers));
  const stored: Record<string, unknown> = {};
  for (const field of fields) {
    const checked = checkAnswer(field, answers[field.id] ?? null, country);
    if ('problems' in checked) errors.push(...answerErrors(field.id, checked.problems, answers[field.id]));
    else if (checked.value !== null) stored[field.id] = checked.value;
  }
  return errors.length > 0 ? errors : { answers: stored };
}

/** The maximum number of fields that a message lists. */
const MAX_LISTED_FIELDS = 20;

/** Returns the errors for answers to fields that the form does not have: answers are keyed by ids, not by questions. */
function unknownAnswers(fields: readonly FormField[], keys: readonly string[]): FieldError[] {
  const ids = new Set(fields.map(({ id }) => String(id)));
  const idsByName = new Map(fields.flatMap(({ id, question }) => [`field_${id}`, question].map((name) => [name, id])));
  const listed = [...ids].slice(0, MAX_LISTED_FIELDS).concat(ids.size > MAX_LISTED_FIELDS ? '…' : []);
  return keys
    .filter((key) => !ids.has(key))
    .map((key) => {
      const meant = idsByName.get(key);
      const hint = meant === undefined ? `its field ids are ${listed.join(', ') || 'none'}` : `did you mean ${meant}?`;
      return { field: `answers.${truncate(key)}`, message: `the form has no such field; ${hint}` };
    });
}

/** Checks the answer to one field. The returned value is null for a field that is not answered and need not be. */
function checkAnswer(field: FormField, value: unknown, country: string): CheckedAnswer {
  const unanswered = (): CheckedAnswer => (field.is_required ? problem(requiredAnswer(field)) : { value: null });
  if (isEmpty(value)) return unanswered();
  const sent = field.field_type === 'payment' ? withPendingStatus(value) : value;
  const parsed = parseAnswer(field.field_type, sent, () => shapeOf(field));
  if ('problems' in parsed)
    return { problems: [...parsed.problems, ...problemsBeside(parsed.problems, field, sent, country)] };
  if (isEmpty(parsed.value)) return unanswered();
  const checked = CHECKS[field.field_type](parsed.value as never, field, country);
  return 'value' in checked && isEmpty(checked.value) ? unanswered() : checked;
}

/** Parts that no check rejects, in place of those that are of a wrong type. */
const VALID_PARTS: Partial<Record<FieldType, object>> = {
  contact: {},
  payment: { amount: 0, currency: 'USD', status: 'pending' },
};

/** The problems of the parts beside those of a wrong type, so that all are reported at once. */
function problemsBeside(
  found: readonly AnswerProblem[],
  field: FormField,
  value: unknown,
  country: string,
): readonly AnswerProblem[] {
  const valid = VALID_PARTS[field.field_type];
  const wrong = new Set(found.map(({ path }) => path[0]));
  if (!valid || wrong.has(undefined)) return [];
  const others = Object.entries(value as object).filter(([part]) => !wrong.has(part));
  const parsed = parseAnswer(field.field_type, { ...valid, ...Object.fromEntries(others) });
  const checked = 'problems' in parsed ? parsed : CHECKS[field.field_type](parsed.value as never, field, country);
  return 'problems' in checked ? checked.problems.filter(({ path }) => !wrong.has(path[0])) : [];
}

/** The message for a missing answer, which says what it must be. */
function requiredAnswer(field: FormField): string {
  const shape = shapeOf(field);
  return `required, an answer to ${quote(field.question)} of type ${field.field_type}${shape ? `: ${shape}` : ''}`;
}

/** What the answer to a field must be, if it is not any string. */
function shapeOf(field: FormField): string | undefined {
  const options = truncate(activeOptions(field).join(', '));
  const shapes: Partial<Record<FormField['field_type'], string>> = {
    contact: `an object of ${collectedParts(field).join(', ')}`,
    dropdown: `one of ${options}`,
    single_choice: `one of ${options}`,
    multiple_choice: `an array of one or more of ${options}`,
  };
  return shapes[field.field_type] ?? ANSWER_SHAPES[field.field_type];
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value == null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** A payment is pending, whatever its sender says: only the organization can confirm it. */
function withPendingStatus(payment: unknown): unknown {
  const isObject = typeof payment === 'object' && payment !== null && !Array.isArray(payment);
  return isObject ? { ...payment, status: 'pending' } : payment;
}

/** Checks a value that has already been parsed by the type of its field. */
type Check = (value: never, field: FormField, country: string) => CheckedAnswer;

const accept: Check = (value) => ({ value });

const CHECKS: Readonly<Record<FieldType, Check>> = {
  short_answer: accept,
  paragraph: accept,
  number: accept,
  scale: (value) => checkWith(scale, value),
  email: (value) => checkWith(emailAddress, value),
  phone_number: (value, _field, country) => checkPhoneNumber(value, country),
  date: (value) => checkWith(calendarDate, value),
  time: (value) => checkWith(timeOfDay, value),
  dropdown: checkChoice,
  single_choice: checkChoice,
  multiple_choice: checkChoices,
  contact: checkContact,
  payment: (value) => checkWith(payment, value),
  file_upload: (value) => checkWith(files, value),
};

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { error: 'must be a time of day, HH:MM or HH:MM:SS, as in 09:30' });

const SCALE_ERROR = 'must be an integer from 0 to 10';
const scale = z.int({ error: SCALE_ERROR }).min(0, { error: SCALE_ERROR }).max(10, { error: SCALE_ERROR });

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The maximum amount of a payment: that of NUMERIC(14, 2). */
export const MAX_AMOUNT = 999_999_999_999.99;

const AMOUNT_ERROR = `must be an amount from 0 to ${MAX_AMOUNT}`;

const payment = z.object({
  amount: z
    .number()
    .max(MAX_AMOUNT, { error: AMOUNT_ERROR })
    .min(0, { error: AMOUNT_ERROR })
    // Not `multipleOf(0.01)`, whose tolerance accepts fractions of a cent in large amounts.
    .refine((value) => Number(value.toFixed(2)) === value, {
      error: 'must have at most two decimals',
    }),
  currency: z.string().refine((value) => CURRENCIES.has(value), {
    error: ({ input }) => `must be a currency code of ISO 4217, for example ${currencyLike(String(input))}`,
  }),
  status: z.string(),
});

function currencyLike(code: string): string {
  return CURRENCIES.has(code.toUpperCase()) ? code.toUpperCase() : 'USD';
}

const files = z.array(
  z.object({
    name: z.string().min(1, { error: 'must not be blank' }),
    url: z.string().refine(isHttpUrl, { error: 'must be an http or https URL, as in https://example.org/a.pdf' }),
    size: z.number().refine((size) => Number.isSafeInteger(size) && size >= 0, {
      error: 'must be a whole number of bytes, for example 345570',
    }),
  }),
);

function checkWith(schema: z.ZodType, value: unknown): CheckedAnswer {
  const { success, data, error } = schema.safeParse(value);
  return success ? { value: data } : { problems: error.issues };
}

function isHttpUrl(value: string): boolean {
  return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

function checkPhoneNumber(value: string, country: string): CheckedAnswer {
  const parsed = parsePhoneNumber(value, country);
  return 'number' in parsed ? { value: parsed.number } : problem(parsed.problem);
}

const NO_OPTION = problem('has no option that can be chosen');

function checkChoice(value: string, field: FormField): CheckedAnswer {
  const options = activeOptions(field);
  if (options.length === 0) return NO_OPTION;
  return options.includes(value) ? { value } : problem(notAnOption(value, options));
}

function checkChoices(values: readonly string[], field: FormField): CheckedAnswer {
  const options = activeOptions(field);
  if (options.length === 0) return NO_OPTION;
  // Only the first one, because comparing thousands of values with all options takes time.
  const index = values.findIndex((value) => !options.includes(value));
  if (index >= 0) return { problems: [{ path: [index], message: notAnOption(values[index] as string, options) }] };
  return new Set(values).size === values.length ? { value: values } : problem('must not contain an option twice');
}

function notAnOption(value: string, options: readonly string[]): string {
  return `must be one of ${truncate(options.join(', '))}${truncate(suggestion(value, options))}`;
}

function activeOptions({ options }: FormField): string[] {
  return (options ?? []).filter(({ active }) => active).map(({ value }) => value);
}

const CONTACT_PARTS = ['first_name', 'last_name', 'email', 'phone'] as const satisfies (keyof ContactParts)[];

/** The answer to a required contact field must have all parts in `collects`; if that is null, no part is required. */
function checkContact(
  value: Readonly<Record<string, string | null>>,
  field: FormField,
  country: string,
): CheckedAnswer {
  const parts = Object.entries(value).filter(([, part]) => !isEmpty(part)) as [keyof ContactParts, string][];
  const collected = collectedParts(field);
  const problems: AnswerProblem[] = [];
  const stored: Record<string, unknown> = {};
  for (const [part, text] of parts) {
    const checked = collected.includes(part) ? checkContactPart(part, text, country) : notCollected(collected);
    if ('value' in checked) stored[part] = checked.value;
    else problems.push(...checked.problems.map(({ message }) => ({ path: [part], message })));
  }
  if (field.is_required && field.collects) {
    const missing = collected.filter((part) => !parts.some(([given]) => given === part));
    problems.push(...missing.map((part) => ({ path: [part], message: 'required' })));
  }
  return problems.length > 0 ? { problems } : { value: stored };
}

function collectedParts({ collects }: FormField) {
  return CONTACT_PARTS.filter((part) => collects?.[part] ?? true);
}

function notCollected(collected: readonly string[]): CheckedAnswer {
  return problem(`is not collected${collected.length > 0 ? `; use ${collected.join(', ')}` : ''}`);
}

function checkContactPart(part: keyof ContactParts, text: string, country: string): CheckedAnswer {
  if (part === 'email') return checkWith(emailAddress, text);
  return part === 'phone' ? checkPhoneNumber(text, country) : { value: text };
}
