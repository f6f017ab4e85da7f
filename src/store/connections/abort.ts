/** An abort signal for the work of a request; cheaper than an `AbortController`. */
export class Abort {
  reason: Error | undefined;
  private listeners: Set<() => void> | undefined;

  /** Aborts the work; the first reason is kept. */
  abort(reason: Error): void {
    if (this.reason) return;
    this.reason = reason;
    const { listeners = [] } = this;
    this.listeners = undefined;
    for (const listener of listeners) listener();
  }

  /** Calls `listener` on abort: immediately if the work is already aborted, unlike `AbortSignal`. */
  addListener(listener: () => void): void {
    if (this.reason) {
      listener();
      return;
    }
    this.listeners ??= new Set();
    this.listeners.add(listener);
  }

  removeListener(listener: () => void): void {
    this.listeners?.delete(listener);
  }
}

/** Waits. @throws the reason of `abort` as soon as it is aborted. */
export function waitFor(milliseconds: number, abort: Abort): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, milliseconds);
    abort.addListener(end);
    function end(): void {
      clearTimeout(timer);
      abort.removeListener(end);
      if (abort.reason) reject(abort.reason);
      else resolve();
    }
  });
}
