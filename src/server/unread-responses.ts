import type { ServerResponse } from 'node:http';

/** Limits of unread responses. */
export interface UnreadLimits {
  /** The maximum size of the unread data of all connections together. */
  readonly bytes: number;
  /** How long a client may take to read the rest of a response. */
  readonly milliseconds: number;
}

const UNREAD_LIMITS: UnreadLimits = { bytes: 64 * 1024 * 1024, milliseconds: 60_000 };

/**
 * Limits the memory of unread responses, which are those that clients have not read completely. A connection is closed
 * if its response is not read in time. If all unread responses together exceed the total limit, the oldest connections
 * are closed.
 *
 * @returns a function to call with each response before it is written.
 */
export function limitUnreadResponses(limits: UnreadLimits = UNREAD_LIMITS): (response: ServerResponse) => void {
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
