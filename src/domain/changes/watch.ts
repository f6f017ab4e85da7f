import { Abort } from '../../store/abort.ts';
import { keyExpired, keyRevoked } from '../admin/inactive-key.ts';
import type { Caller } from '../core/caller.ts';
import { MissingScopeError, ServiceError } from '../core/errors.ts';
import type { Scope } from '../core/scopes.ts';

/** The state of a key and of its organization's counter. */
export interface KeyState {
  readonly revoked: boolean;
  readonly expired: boolean;
  readonly scopes: readonly string[];
  /** The last number of the counter; null if the organization has none yet. */
  readonly last_number: string | null;
}

/** The end of a watch because the service stops, or the client does not wait any more. */
export class WatchEndedError extends ServiceError {
  constructor() {
    super('unavailable', 'The service is stopping; try again');
  }
}

/** Waits for the changes of an organization on behalf of one request. */
export class Watch {
  /** Aborted when the key is revoked, has expired or lost a scope, when the service stops, and by {@link close}. */
  readonly abort = new Abort();
  private onState: ((lastNumber: string) => void) | undefined;

  /**
   * @param caller whose key and organization are watched.
   * @param scopes the scopes that the request needs; the watch is aborted when the key loses one.
   * @param onClose called when it is closed.
   */
  constructor(
    readonly caller: Caller,
    private readonly scopes: readonly Scope[],
    private readonly onClose: () => void,
  ) {}

  /**
   * Waits until the counter of the organization has another number.
   *
   * @param seen the number when the changes were last read. Without it, waits until the counter was read.
   * @param maxWaitMs the maximum wait; none by default.
   * @returns false if the time is over.
   * @throws {ServiceError} the reason of {@link abort}.
   */
  changed(seen?: string, maxWaitMs?: number): Promise<boolean> {
    const { abort } = this;
    return new Promise((resolve, reject) => {
      const end = (hasChanged: boolean) => {
        clearTimeout(timer);
        this.onState = undefined;
        abort.removeListener(onAbort);
        if (abort.reason) reject(abort.reason);
        else resolve(hasChanged);
      };
      const onAbort = () => end(false);
      const timer = maxWaitMs === undefined ? undefined : setTimeout(end, maxWaitMs, false);
      this.onState = (lastNumber) => {
        if (lastNumber !== seen) end(true);
      };
      abort.addListener(onAbort);
    });
  }

  /** Takes the state of the key and the counter. @param state undefined if the key does not exist any more. */
  update(state: KeyState | undefined): void {
    const failure = this.failureOf(state);
    if (failure) this.abort.abort(failure);
    else this.onState?.(state?.last_number ?? '0');
  }

  /** Ends the watch: the client does not wait any more. */
  close(): void {
    this.abort.abort(new WatchEndedError());
    this.onClose();
  }

  private failureOf(state: KeyState | undefined): ServiceError | undefined {
    const { keyId } = this.caller;
    if (!state || state.revoked) return keyRevoked(keyId);
    if (state.expired) return keyExpired(keyId);
    const lost = this.scopes.find((scope) => !state.scopes.includes(scope));
    return lost && new MissingScopeError([lost]);
  }
}
