import { randomBytes } from 'node:crypto';
import type { NewMember } from '../works.ts';

/** An id that sorts by time. */
export function newId(): string {
  return `mem_${Date.now().toString(36)}${randomBytes(9).toString('hex')}`;
}

/** The values of `search_text` and `search_phone`. */
export function searchOf(member: NewMember): { readonly text: string; readonly phone: string } {
  const { first_name, last_name, email_address, address, phone_number } = member;
  const text = [first_name, last_name, email_address, address, phone_number].join('\u001f').toUpperCase();
  return { text, phone: phone_number.slice(1) };
}
