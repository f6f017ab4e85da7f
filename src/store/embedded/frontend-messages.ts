/** A request of the PostgreSQL protocol to a server without authentication and encryption. */
export interface ClientRequest {
  readonly bytes: Buffer;
  /** Whether the client ends the connection. */
  readonly isTerminate: boolean;
  /** Whether it ended with a Flush: the next messages of this client, up to a Sync, then belong to the same query. */
  readonly syncPending: boolean;
}

/** Thrown for data that is not PostgreSQL protocol 3.0. */
class ProtocolViolation extends Error {}

const PROTOCOL_3 = 196_608;
const MAX_STARTUP_BYTES = 10_000;
const MAX_MESSAGE_BYTES = 2 ** 30;

/** Parse, Bind, Describe, Execute and Close, whose responses are sent at the next Sync or Flush. */
const BEFORE_SYNC = 'PBDEC';
const FLUSH = 'H';
const TERMINATE = 'X';

/** The bytes that contain the length: of a startup message, which has no type, and of other messages. */
const STARTUP_HEADER_BYTES = 8;
const HEADER_BYTES = 5;

/**
 * Splits a client's data into requests that can be interleaved with those of other clients. An extended query from Parse
 * to Sync is one request, because another client's Parse in between would replace the statement.
 */
export class FrontendReader {
  /** The data after the last complete message. */
  #chunks: Buffer[] = [];
  #receivedBytes = 0;
  /** The size of the next message, or of its header while that is incomplete. */
  #neededBytes = STARTUP_HEADER_BYTES;
  /** The complete messages of the next request. */
  #messages: Buffer[] = [];
  #started = false;

  /**
   * Reads the next bytes.
   *
   * @returns the requests that are now complete.
   * @throws {ProtocolViolation}
   */
  read(bytes: Buffer): ClientRequest[] {
    this.#chunks.push(bytes);
    this.#receivedBytes += bytes.length;
    const requests: ClientRequest[] = [];
    for (let message = this.#nextMessage(); message; message = this.#nextMessage()) {
      this.#messages.push(message);
      const type = this.#started ? message.toString('latin1', 0, 1) : '';
      this.#started = true;
      if (type && BEFORE_SYNC.includes(type)) continue;
      const request = Buffer.concat(this.#messages);
      requests.push({ bytes: request, isTerminate: type === TERMINATE, syncPending: type === FLUSH });
      this.#messages = [];
    }
    return requests;
  }

  /** Removes the next message if it is complete. Its chunks are joined once, not at the arrival of each. */
  #nextMessage(): Buffer | undefined {
    if (this.#receivedBytes < this.#neededBytes) return undefined;
    const [first] = this.#chunks;
    const received = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#neededBytes = this.#messageBytes(received);
    const isComplete = received.length >= this.#neededBytes;
    this.#chunks = [isComplete ? received.subarray(this.#neededBytes) : received];
    if (!isComplete) return undefined;
    const message = received.subarray(0, this.#neededBytes);
    this.#receivedBytes -= this.#neededBytes;
    this.#neededBytes = HEADER_BYTES;
    return message;
  }

  #messageBytes(received: Buffer): number {
    const length = received.readInt32BE(this.#started ? 1 : 0);
    const [min, max] = this.#started ? [4, MAX_MESSAGE_BYTES] : [STARTUP_HEADER_BYTES, MAX_STARTUP_BYTES];
    if (length < min || length > max) throw new ProtocolViolation('invalid message length');
    if (this.#started) return 1 + length;
    if (received.readInt32BE(4) !== PROTOCOL_3) throw new ProtocolViolation('only version 3.0 is supported');
    return length;
  }
}
