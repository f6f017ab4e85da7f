import type { ServerResponse } from 'node:http';

/** Limits of responses that clients have not read yet. */
export interface UnsentLimits {
  /** The maximum size of the unread data of all connections together. */
  readonly bytes: number;
  /** How long a client may take to read the rest of a response. */
  readonly milliseconds: number;
}

const UNSENT_LIMITS: UnsentLimits = { bytes: 64 * 1024 * 1024, milliseconds: 60_000 };

/**
 * Limits the memory of responses that clients have not read yet. A connection is closed if its response is not read in
 * time. If all responses together exceed the total limit, the oldest connections are closed.
 *
 * @returns a function to call with each response before it is written.
 */
export function createUnsentLimit(limits: UnsentLimits = UNSENT_LIMITS): (response: ServerResponse) => void {
  const unread = new Map<ServerResponse, NodeJS.Timeout>();

  const closeOldest = () => {
    let bytes = 0;
    for (const { socket } of unread.keys()) bytes += socket?.writableLength ?? 0;
    for (const { socket } of unread.keys()) {
      if (bytes <= limits.bytes) return;
      bytes -= socket?.writableLength ?? 0;
      socket?.destroy();
    }
  };

  return (response) => {
    response.once('prefinish', () => {
      const { socket } = response;
      // If the operating system has accepted all data, nothing is buffered in this process.
      if (!socket || socket.writableLength === 0) return;
      unread.set(
        response,
        setTimeout(() => socket.destroy(), limits.milliseconds),
      );
      response.once('close', () => {
        clearTimeout(unread.get(response));
        unread.delete(response);
      });
      closeOldest();
    });
  };
}
