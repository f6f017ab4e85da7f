import { ServiceError } from '../core/errors.ts';

/** Thrown for a key that is revoked or expired. */
export class InactiveKeyError extends ServiceError {
  constructor(
    /** Undefined in the API reference, which needs only the message. */
    readonly keyId: string | undefined,
    code: 'key_revoked' | 'key_expired',
    message: string,
  ) {
    super(code, message);
  }
}

/** Returns the error for a revoked key. @param keyId undefined if only its message is needed. */
export function keyRevoked(keyId?: string): ServiceError {
  return new InactiveKeyError(keyId, 'key_revoked', 'This API key was revoked');
}

/** Returns the error for an expired key. @param keyId undefined if only its message is needed. */
export function keyExpired(keyId?: string): ServiceError {
  return new InactiveKeyError(keyId, 'key_expired', 'This API key has expired');
}
