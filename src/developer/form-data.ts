import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { type FieldError, ServiceError } from '../domain/core/errors.ts';
import { newId } from '../domain/values/ids.ts';
import { MAX_HTML_FORM_FIELDS } from '../domain/values/limits.ts';
import type { RequestEnv } from '../http/request/request-env.ts';

/** The CSRF token field of every form. */
export const CSRF_FIELD = 'csrf_token';

/** The fields of a submitted form. */
export interface SubmittedForm {
  /** A field with one value. @throws {PageError} if it is repeated or missing. */
  single(name: string): string;
  all(name: string): string[];
}

/**
 * Parses a URL-encoded form. The size of the body must already be limited.
 *
 * @throws {PageError} if the body has another type or encoding, or too many fields.
 */
export async function readForm(c: Context<RequestEnv>): Promise<SubmittedForm> {
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded' || c.req.header('content-encoding') !== undefined) {
    const message = 'Send forms as application/x-www-form-urlencoded without a content encoding.';
    throw new PageError(415, 'Not a form', message);
  }
  const fields = new URLSearchParams(await c.req.text());
  if (fields.size > MAX_HTML_FORM_FIELDS) throw new PageError(400, 'Invalid form', 'The form has too many fields.');
  return {
    single(name) {
      const values = fields.getAll(name);
      if (values[0] !== undefined && values.length === 1) return values[0];
      const reason = values.length === 0 ? 'is missing' : 'is repeated';
      throw new PageError(400, 'Invalid form', `The field “${name}” ${reason}. Open the page again.`);
    },
    all: (name) => fields.getAll(name),
  };
}

/** The invalid fields that an error reports. @throws the error if it is another one. */
export function invalidFieldsOf(error: unknown): readonly FieldError[] {
  if (error instanceof ServiceError && error.details) return error.details;
  throw error;
}

/** Returns an HMAC signature. @param key the token of the session for forms, the secret of the service for cookies. */
export function sign(key: string | Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url');
}

/** Whether a signature is valid, compared in constant time. */
export function isValidSignature(key: string | Buffer, content: string, signature: string): boolean {
  const [a, b] = [Buffer.from(signature), Buffer.from(sign(key, content))];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @throws {PageError} if the signature is invalid. */
export function requireSignature(token: string, content: string, signature: string): void {
  if (isValidSignature(token, content, signature)) return;
  throw new PageError(
    403,
    'This form is out of date',
    'It was opened in another session. Nothing was changed. Open the page again and resubmit the form.',
  );
}

/** The field with the id of the record that a form creates. */
export const NEW_ID_FIELD = 'new_id';

/** A new id with its signature: a form that has one creates only one record, even if it is sent twice. */
export function newSignedId(token: string, prefix: string): string {
  const id = newId(prefix);
  return `${id}.${sign(token, newIdContent(prefix, id))}`;
}

/** The id in a form, see {@link newSignedId}. @throws {PageError} if this session has not issued it for such a record. */
export function readNewId(token: string, prefix: string, form: SubmittedForm): string {
  const [id = '', signature = ''] = form.single(NEW_ID_FIELD).split('.');
  requireSignature(token, newIdContent(prefix, id), signature);
  return id;
}

/** The signed content of an id, which differs from that of CSRF tokens. */
function newIdContent(prefix: string, id: string): string {
  return `new ${prefix} ${id}`;
}

/** A refused request, with the title and message of its page. */
export class PageError extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 429,
    readonly title: string,
    message: string,
  ) {
    super(message);
  }
}
