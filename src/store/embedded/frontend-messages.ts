import type { Socket } from 'node:net';

/** A request of the PostgreSQL protocol to a server without authentication and encryption. */
export interface ClientRequest {
  readonly client: Socket;
  readonly bytes: Buffer;
  /** Whether it ended with a Flush: the next messages of this client, up to a Sync, then belong to the same query. */
  readonly syncPending: boolean;
}

const PROTOCOL_3 = 196_608;

/**
 * The header of a message is its type and length; that of a startup message is its length and version. The length counts
 * itself and all that follows it, of which the minimum is in the header.
 */
const STARTUP = { headerBytes: 8, lengthOffset: 0, minLength: 8, maxLength: 10_000 };
const MESSAGE = { headerBytes: 5, lengthOffset: 1, minLength: 4, maxLength: 2 ** 30 };

/** Parse, Bind, Describe, Execute and Close, whose responses are sent at the next Sync or Flush. */
const BEFORE_SYNC = ['P', 'B', 'D', 'E', 'C'];
const FLUSH = 'H';
const TERMINATE = 'X';

/**
 * Splits a client's data into requests that can be interleaved with those of other clients. An extended query from Parse
 * to Sync is one request, because another client's Parse in between would replace the statement. Disconnects a client
 * that ends the connection or does not use protocol 3.0.
 */
export function readRequests(client: Socket, onRequest: (request: ClientRequest) => void): void {
  let format = STARTUP;
  let header: Buffer | undefined;
  /** The complete messages of the next request. */
  let messages: Buffer[] = [];

  /** Returns the next bytes if all have arrived. For 0 bytes, `read` returns null; after the end of the data, fewer bytes. */
  const take = (bytes: number): Buffer | undefined => {
    const taken = bytes === 0 ? Buffer.alloc(0) : (client.read(bytes) as Buffer | null);
    return taken?.length === bytes ? taken : undefined;
  };
  const takeMessage = (): Buffer | undefined => {
    header ??= take(format.headerBytes);
    if (!header) return undefined;
    const { lengthOffset, minLength, maxLength } = format;
    const length = header.readInt32BE(lengthOffset);
    const hasValidVersion = format !== STARTUP || header.readInt32BE(4) === PROTOCOL_3;
    if (length < minLength || length > maxLength || !hasValidVersion) return void client.destroy();
    const body = take(length - minLength);
    if (!body) return undefined;
    const message = Buffer.concat([header, body]);
    header = undefined;
    return message;
  };

  client.on('readable', () => {
    for (let message = takeMessage(); message; message = takeMessage()) {
      messages.push(message);
      const type = format === STARTUP ? '' : message.toString('latin1', 0, 1);
      format = MESSAGE;
      if (BEFORE_SYNC.includes(type)) continue;
      if (type === TERMINATE) client.destroySoon();
      else onRequest({ client, bytes: Buffer.concat(messages), syncPending: type === FLUSH });
      messages = [];
    }
  });
}
