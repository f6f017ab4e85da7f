import { createHash } from 'node:crypto';
import { invalidRequest, quote } from '../../domain/core/errors.ts';
import { emailAddress, normalizeEmail } from '../../domain/values/text.ts';
import type { Batch } from '../records/batch.ts';
import { externalIdFor } from '../records/external-id.ts';

const PLACEHOLDER = '{external_id}';

/** Domains that no mail can reach (RFC 2606, RFC 6761, RFC 6762). */
const UNREACHABLE = /[@.](invalid|test|example|localhost|local|internal|onion|arpa)$/;

/** The length of the text that replaces the placeholder; the local part of an address has up to 64 characters. */
const MAX_LENGTH = 40;
/** Ids that are written as they are. Addresses do not distinguish upper and lower case. */
const SIMPLE = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const HASH_LENGTH = 10;

/**
 * Validates the template of the addresses of people who have none of their own.
 *
 * @throws {ServiceError} `invalid_request` unless each external id makes it an address.
 */
export function parseFillEmail(template: string): string {
  const normalized = normalizeEmail(template);
  const [local = ''] = normalized.split('@');
  const sample = normalized.replace(PLACEHOLDER, 'x'.repeat(MAX_LENGTH));
  const problem = () => {
    if (!local.includes(PLACEHOLDER)) return `must have the placeholder ${PLACEHOLDER} before the @`;
    if (/[{}]/.test(sample)) return `must have the placeholder ${PLACEHOLDER} once, and no others`;
    if (!emailAddress.safeParse(sample).success) return `${quote(template)} does not make email addresses`;
    return UNREACHABLE.test(sample) ? 'must have a domain of yours that receives mail' : undefined;
  };
  const message = problem();
  if (message !== undefined)
    throw invalidRequest({ field: '--fill-email', message: `${message}, as in '${PLACEHOLDER}@people.example.org'` });
  return normalized;
}

/** The address of a person without one of their own; undefined without a template, or without an external id. */
export function filledAddress(
  { fillEmail, source }: Pick<Batch, 'fillEmail' | 'source'>,
  externalId: unknown,
): string | undefined {
  if (fillEmail === undefined || typeof externalId !== 'string') return undefined;
  const id = externalIdFor(source, externalId);
  return fillEmail.replace(PLACEHOLDER, textOf(id.source, id.id));
}

/** A text that no other id has: the id, after the name of its source, or a similar text with a hash. */
function textOf(source: string, id: string): string {
  const parts = source === '' ? [id] : [source, id];
  const text = parts.join('.');
  if (text.length <= MAX_LENGTH && parts.every((part) => SIMPLE.test(part))) return text;
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_LENGTH);
  const words =
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return [
    ...words
      .join('-')
      .slice(0, MAX_LENGTH - HASH_LENGTH - 1)
      .split('-'),
    hash,
  ]
    .filter(Boolean)
    .join('-');
}
