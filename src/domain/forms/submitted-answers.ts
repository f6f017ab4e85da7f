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
 * Checks the answers of a response by the fields of its form. Null, blank text, empty lists and empty objects do not
 * count as answers and are left out.
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
    if ('problem' in checked) errors.push({ field: `answers.${field.id}`, message: checked.problem });
    else if (checked.value !== null) stored[field.id] = checked.value;
  }
  return errors.length > 0 ? errors : { answers: stored };
}

/** Checks the answer to one field. The returned value is null for a field that is not answered and need not be. */
function checkAnswer(field: FormField, value: unknown, country: string): CheckedAnswer {
  const unanswered: CheckedAnswer = field.is_required ? { problem: 'required' } : { value: null };
  if (value === null) return unanswered;
  const parsed = parseAnswer(field.field_type, value);
  if ('problem' in parsed) return parsed;
  if (isEmpty(parsed.value)) return unanswered;
  const checked = CHECKS[field.field_type](parsed.value as never, field, country);
  return 'value' in checked && isEmpty(checked.value) ? unanswered : checked;
}

function isEmpty(value: unknown): boolean {
  return value == null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Checks a value that has already been parsed by the type of its field. */
type Check = (value: never, field: FormField, country: string) => CheckedAnswer;

const accept: Check = (value) => ({ value });

const CHECKS: Readonly<Record<FieldType, Check>> = {
  short_answer: accept,
  paragraph: accept,
  number: accept,
  scale: accept,
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
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { error: 'must be a time of day, HH:MM or HH:MM:SS' });

const payment = z.object({
  amount: z.number().min(0, { error: 'amount must not be negative' }),
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'currency must be a code of ISO 4217, for example USD' }),
  status: z.string().min(1, { error: 'status must not be blank' }),
});

const files = z.array(
  z.object({
    name: z.string().min(1, { error: 'name must not be blank' }),
    url: z.url({ protocol: /^https?$/, error: 'url must be an http or https URL' }),
    size: z.number().refine((size) => Number.isSafeInteger(size) && size >= 0, {
      error: 'size must be a whole number of bytes',
    }),
  }),
);

function checkWith(schema: z.ZodType, value: unknown): CheckedAnswer {
  const { success, data, error } = schema.safeParse(value);
  return success ? { value: data } : { problem: error.issues[0]?.message ?? 'is invalid' };
}

function checkPhoneNumber(value: string, country: string): CheckedAnswer {
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
  const other = parts.find(([part]) => !collected.includes(part));
  if (other) {
    const alternatives = collected.length > 0 ? `; use ${collected.join(', ')}` : '';
    return { problem: `${other[0]} is not collected${alternatives}` };
  }
  const missing = field.collects && collected.find((part) => !parts.some(([given]) => given === part));
  if (field.is_required && missing) return { problem: `${missing} is required` };
  const stored: Record<string, unknown> = {};
  for (const [part, text] of parts) {
    const checked = checkContactPart(part, text, country);
    if ('problem' in checked) return { problem: `${part} ${checked.problem}` };
    stored[part] = checked.value;
  }
  return { value: stored };
}

function checkContactPart(part: keyof ContactParts, text: string, country: string): CheckedAnswer {
  if (part === 'email') return checkWith(emailAddress, text);
  return part === 'phone' ? checkPhoneNumber(text, country) : { value: text };
}
