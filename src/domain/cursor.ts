import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from './errors.ts';

/** What a cursor is bound to: it continues this list only. */
export interface ListIdentity {
  readonly organizationId: string;
  /** The list's name, with the parent's id where it has one. */
  readonly list: string;
  readonly search: string | undefined;
}

const POSITION_BYTES = 8;
const SIGNATURE_BYTES = 16;
/** 24 bytes fill 32 characters of base64url without a spare bit: no two strings say the same. */
const CURSOR = /^[A-Za-z0-9_-]{32}$/;

/** The opaque cursor of the row at `position` of a list. */
export function encodeCursor(secret: Buffer, list: ListIdentity, position: number): string {
  const place = Buffer.alloc(POSITION_BYTES);
  place.writeBigUInt64BE(BigInt(position));
  return Buffer.concat([place, sign(secret, list, place)]).toString('base64url');
}

/**
 * The position that a cursor stands for. Its row need not exist any more.
 *
 * @throws {ServiceError} `invalid_cursor` for one that is forged, or of another list, search or organization.
 */
export function decodeCursor(secret: Buffer, list: ListIdentity, cursor: string): number {
  if (CURSOR.test(cursor)) {
    const bytes = Buffer.from(cursor, 'base64url');
    const place = bytes.subarray(0, POSITION_BYTES);
    if (timingSafeEqual(bytes.subarray(POSITION_BYTES), sign(secret, list, place))) {
      return Number(place.readBigUInt64BE());
    }
  }
  throw new ServiceError('invalid_cursor', 'This cursor does not belong to this list and search; start without one');
}

function sign(secret: Buffer, { organizationId, list, search }: ListIdentity, place: Buffer): Buffer {
  const hmac = createHmac('sha256', secret);
  hmac.update(JSON.stringify([organizationId, list, search ?? null]));
  hmac.update(place);
  return hmac.digest().subarray(0, SIGNATURE_BYTES);
}
