import { z } from 'zod';
import { type FieldError, truncate } from '../core/errors.ts';
import type { ContactParts, FieldType, FormField } from '../entities/form-field.ts';
import { parsePhoneNumber } from '../values/phone.ts';
import { calendarDate, emailAddress } from '../values/text.ts';
import { type CheckedAnswer, parseAnswer } from './form-answer.ts';

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
  const fieldIds = new Set(fields.map(({ id }) => String(id)));
  const errors: FieldError[] = Object.keys(answers)
    .filter((name) => !fieldIds.has(name))
    .map((name) => ({ field: `answers.${truncate(name)}`, message: 'the form has no such field' }));
  const stored: Record<string, unknown> = {};
  for (const field of fields) {
    const checked = checkAnswer(field, answers[field.id] ?? null, country);
    const name = `answers.${field.id}`;
    if ('problem' in checked) errors.push({ field: name, message: checked.problem });
    else if ('problemsByPart' in checked) {
      for (const [part, message] of Object.entries(checked.problemsByPart)) {
        errors.push({ field: `${name}.${part}`, message });
      }
    } else if (checked.value !== null) stored[field.id] = checked.value;
  }
  return errors.length > 0 ? errors : { answers: stored };
}

/** Checks the answer to one field. The returned value is null for a field that is not answered and need not be. */
function checkAnswer(field: FormField, value: unknown, country: string): CheckedAnswer {
  const unanswered: CheckedAnswer = field.is_required ? { problem: 'required' } : { value: null };
  if (isEmpty(value)) return unanswered;
  const parsed = parseAnswer(field.field_type, field.field_type === 'payment' ? withPendingStatus(value) : value);
  if ('problem' in parsed) return parsed;
  if (isEmpty(parsed.value)) return unanswered;
  const checked = CHECKS[field.field_type](parsed.value as never, field, country);
  return 'value' in checked && isEmpty(checked.value) ? unanswered : checked;
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
  payment: (value) => checkPayment(value),
  file_upload: (value) => checkWith(files, value),
};

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { error: 'must be a time of day, HH:MM or HH:MM:SS' });

const SCALE_ERROR = 'must be an integer from 0 to 10';
const scale = z.int({ error: SCALE_ERROR }).min(0, { error: SCALE_ERROR }).max(10, { error: SCALE_ERROR });

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const payment = z.object({
  amount: z
    .number()
    .min(0, { error: 'must not be negative' })
    // `multipleOf(0.01)` would refuse 1.1, which is not exact as a binary fraction.
    .refine((value) => Number(value.toFixed(2)) === value, { error: 'must have at most two decimals' }),
  currency: z
    .string()
    .refine((value) => CURRENCIES.has(value), { error: 'must be a currency code of ISO 4217, for example USD' }),
  status: z.string(),
});

const files = z.array(
  z.object({
    name: z.string().min(1, { error: 'name must not be blank' }),
    url: z.string().refine(isWebAddress, { error: 'url must be an http or https URL, without spaces' }),
    size: z.number().refine((size) => Number.isSafeInteger(size) && size >= 0, {
      error: 'size must be a whole number of bytes',
    }),
  }),
);

function checkWith(schema: z.ZodType, value: unknown): CheckedValue {
  const { success, data, error } = schema.safeParse(value);
  return success ? { value: data } : { problem: error.issues[0]?.message ?? 'is invalid' };
}

function checkPayment(value: unknown): CheckedAnswer {
  const { success, data, error } = payment.safeParse(value);
  if (success) return { value: data };
  return { problemsByPart: Object.fromEntries(error.issues.map(({ path, message }) => [String(path[0]), message])) };
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

function checkPhoneNumber(value: string, country: string): CheckedValue {
  const parsed = parsePhoneNumber(value, country);
  return 'number' in parsed ? { value: parsed.number } : parsed;
}

const NO_OPTION = { problem: 'has no option that can be chosen' };

function checkChoice(value: string, field: FormField): CheckedAnswer {
  const options = activeOptions(field);
  if (options.length === 0) return NO_OPTION;
  return options.includes(value) ? { value } : { problem: `must be one of ${truncate(options.join(', '))}` };
}

function checkChoices(values: readonly string[], field: FormField): CheckedAnswer {
  const options = activeOptions(field);
  if (options.length === 0) return NO_OPTION;
  if (values.some((value) => !options.includes(value))) {
    return { problem: `must contain only ${truncate(options.join(', '))}` };
  }
  return new Set(values).size === values.length ? { value: values } : { problem: 'must not contain an option twice' };
}

function activeOptions({ options }: FormField): string[] {
  return (options ?? []).filter(({ active }) => active).map(({ value }) => value);
}

const CONTACT_PARTS = ['first_name', 'last_name', 'email', 'phone'] as const satisfies (keyof ContactParts)[];

/** The answer to a required contact field must have all parts that the field collects. */
function checkContact(
  value: Readonly<Record<string, string | null>>,
  field: FormField,
  country: string,
): CheckedAnswer {
  const parts = Object.entries(value).filter(([, part]) => !isEmpty(part)) as [keyof ContactParts, string][];
  const collected = CONTACT_PARTS.filter((part) => field.collects?.[part] ?? true);
  const problems: Record<string, string> = {};
  const stored: Record<string, unknown> = {};
  for (const [part, text] of parts) {
    const checked = collected.includes(part) ? checkContactPart(part, text, country) : notCollected(collected);
    if ('value' in checked) stored[part] = checked.value;
    else problems[part] = checked.problem;
  }
  if (field.is_required && field.collects) {
    for (const part of collected) if (!parts.some(([given]) => given === part)) problems[part] = 'required';
  }
  return Object.keys(problems).length > 0 ? { problemsByPart: problems } : { value: stored };
}

/** A value to store, or an error message. */
type CheckedValue = { readonly value: unknown } | { readonly problem: string };

function notCollected(collected: readonly string[]): CheckedValue {
  return { problem: `is not collected${collected.length > 0 ? `; use ${collected.join(', ')}` : ''}` };
}

function checkContactPart(part: keyof ContactParts, text: string, country: string): CheckedValue {
  if (part === 'email') return checkWith(emailAddress, text);
  return part === 'phone' ? checkPhoneNumber(text, country) : { value: text };
}
