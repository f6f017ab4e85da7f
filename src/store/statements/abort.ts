/** Whether and why the work for a request was given up. Cheaper than an `AbortController` per request. */
export class Abort {
  reason: Error | undefined;
  private listeners: Set<() => void> | undefined;

  /** Gives the work up, for the first reason. */
  abort(reason: Error): void {
    if (this.reason) return;
    this.reason = reason;
    const { listeners = [] } = this;
    this.listeners = undefined;
    for (const listener of listeners) listener();
  }

  /** Calls `listener` when the work is given up; not if it was before. */
  addListener(listener: () => void): void {
    this.listeners ??= new Set();
    this.listeners.add(listener);
  }

  removeListener(listener: () => void): void {
    this.listeners?.delete(listener);
  }
}
