import type { ServerResponse } from 'node:http';

/** How much may wait for clients that read slowly. */
export interface UnsentLimits {
  /** Of all connections together. */
  readonly bytes: number;
  /** How long a client may take to read one response. */
  readonly milliseconds: number;
}

const UNSENT_LIMITS: UnsentLimits = { bytes: 64 * 1024 * 1024, milliseconds: 60_000 };

/**
 * Bounds the memory that responses take until their clients have read them. A connection is closed if a response is not
 * read in time; if too much waits in total, those that have waited longest are closed.
 *
 * @returns to be called with each response before it is written.
 */
export function createUnsentBound(limits: UnsentLimits = UNSENT_LIMITS): (response: ServerResponse) => void {
  const waiting = new Map<ServerResponse, NodeJS.Timeout>();

  const closeLongestWaiting = () => {
    let bytes = 0;
    for (const { socket } of waiting.keys()) bytes += socket?.writableLength ?? 0;
    for (const { socket } of waiting.keys()) {
      if (bytes <= limits.bytes) return;
      bytes -= socket?.writableLength ?? 0;
      socket?.destroy();
    }
  };

  return (response) => {
    response.once('prefinish', () => {
      const { socket } = response;
      // What the operating system took at once is not held here.
      if (!socket || socket.writableLength === 0) return;
      waiting.set(
        response,
        setTimeout(() => socket.destroy(), limits.milliseconds),
      );
      response.once('close', () => {
        clearTimeout(waiting.get(response));
        waiting.delete(response);
      });
      closeLongestWaiting();
    });
  };
}
