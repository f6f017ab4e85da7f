import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { MAX_FORM_FIELDS } from '../domain/core/limits.ts';
import type { RequestEnv } from '../http/request-env.ts';
import { Refusal } from './refusal.ts';

/** The field of every form that says that this session's page sent it. */
export const PROOF = 'proof';

/** The fields that a form was sent with. */
export interface Form {
  /** A field that stands once. @throws {Refusal} when it is repeated or missing. */
  one(name: string): string;
  /** A field that can stand more than once, or not at all. */
  all(name: string): string[];
}

/**
 * Reads a form, in the one encoding that the pages' own forms have. How long it may be is limited before.
 *
 * @throws {Refusal}
 */
export async function readForm(c: Context<RequestEnv>): Promise<Form> {
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded' || c.req.header('content-encoding') !== undefined) {
    throw new Refusal(415, 'Not a form', 'Send forms as application/x-www-form-urlencoded, without an encoding.');
  }
  const fields = new URLSearchParams(await c.req.text());
  if (fields.size > MAX_FORM_FIELDS) throw new Refusal(400, 'Not a form of this page', 'It has too many fields.');
  return {
    one(name) {
      const values = fields.getAll(name);
      if (values[0] !== undefined && values.length === 1) return values[0];
      const problem = values.length === 0 ? 'is missing' : 'is there more than once';
      throw new Refusal(400, 'Not a form of this page', `The field “${name}” ${problem}. Open the page again.`);
    },
    all: (name) => fields.getAll(name),
  };
}

/**
 * What proves that somebody with this key made something: of a session's token, that a page of the session showed
 * its forms or the id of a key to be made; of the secret of the service, that the service gave a cookie.
 */
export function proofOf(key: string | Buffer, of: string): string {
  return createHmac('sha256', key).update(of).digest('base64url');
}

/** Whether it is the proof, in a time that says nothing about it. */
export function isProof(key: string | Buffer, of: string, proof: string): boolean {
  const [one, other] = [Buffer.from(proof), Buffer.from(proofOf(key, of))];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** @throws {Refusal} when it is not the proof. */
export function requireProof(token: string, of: string, proof: string): void {
  if (isProof(token, of, proof)) return;
  throw new Refusal(
    403,
    'This form is out of date',
    'It was opened before you signed in, or elsewhere. Nothing was changed. Open the page again and repeat it there.',
  );
}
