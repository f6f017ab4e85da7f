/** A request of the PostgreSQL protocol to a server without authentication and encryption. */
export interface ClientRequest {
  readonly kind: 'startup' | 'encryption' | 'cancel' | 'terminate' | 'messages';
  readonly bytes: Buffer;
  /** Whether it ended with a Flush: the next messages of this client, up to a Sync, then belong to the same query. */
  readonly syncPending: boolean;
}

/** Thrown for data that is not PostgreSQL protocol 3.0. */
class ProtocolViolation extends Error {}

const PROTOCOL_3 = 196_608;
const CANCEL_REQUEST = 80_877_102;
/** SSLRequest and GSSENCRequest. */
const ENCRYPTION_REQUESTS = [80_877_103, 80_877_104];
const MAX_STARTUP_BYTES = 10_000;
const MAX_MESSAGE_BYTES = 2 ** 30;

/** Parse, Bind, Describe, Execute and Close, whose responses are sent at the next Sync or Flush. */
const BEFORE_SYNC = new Set([...'PBDEC'].map((type) => type.charCodeAt(0)));
const FLUSH = 'H'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/**
 * Splits a client's data into requests that can be interleaved with those of other clients. An extended query from Parse
 * to Sync is one request, because another client's Parse in between would replace the statement.
 */
export class FrontendReader {
  /** Received bytes, from `#start` to `#end`. Bytes before `#end` are never overwritten: requests are views of them. */
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  /** The offset of the first unread message. */
  #position = 0;
  #started = false;

  /**
   * Reads the next bytes.
   *
   * @returns the requests that are now complete.
   * @throws {ProtocolViolation}
   */
  read(bytes: Buffer): ClientRequest[] {
    this.#append(bytes);
    const requests: ClientRequest[] = [];
    for (;;) {
      const request = this.#started ? this.#nextMessages() : this.#nextStartup();
      if (!request) return requests;
      requests.push(request);
    }
  }

  /** Capacity doubles, so that a request that arrives in many chunks is not copied for each of them. */
  #append(bytes: Buffer): void {
    const pending = this.#end - this.#start;
    if (pending === 0) {
      this.#buffer = bytes;
      this.#position = 0;
      this.#start = 0;
      this.#end = bytes.length;
      return;
    }
    if (this.#end + bytes.length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (pending + bytes.length));
      this.#buffer.copy(larger, 0, this.#start, this.#end);
      this.#buffer = larger;
      this.#position -= this.#start;
      this.#start = 0;
      this.#end = pending;
    }
    bytes.copy(this.#buffer, this.#end);
    this.#end += bytes.length;
  }

  #nextStartup(): ClientRequest | undefined {
    if (this.#end - this.#start < 8) return undefined;
    const length = this.#buffer.readInt32BE(this.#start);
    const code = this.#buffer.readInt32BE(this.#start + 4);
    if (length < 8 || length > MAX_STARTUP_BYTES) throw new ProtocolViolation('invalid startup message');
    if (this.#end - this.#start < length) return undefined;
    this.#position = this.#start + length;
    if (ENCRYPTION_REQUESTS.includes(code)) return this.#take('encryption');
    if (code === CANCEL_REQUEST) return this.#take('cancel');
    if (code !== PROTOCOL_3) throw new ProtocolViolation('only version 3.0 of the protocol is supported');
    this.#started = true;
    return this.#take('startup');
  }

  #nextMessages(): ClientRequest | undefined {
    while (this.#end >= this.#position + 5) {
      const type = this.#buffer[this.#position] as number;
      const length = this.#buffer.readInt32BE(this.#position + 1);
      if (length < 4 || length > MAX_MESSAGE_BYTES) throw new ProtocolViolation('invalid message length');
      if (this.#end < this.#position + 1 + length) return undefined;
      this.#position += 1 + length;
      if (BEFORE_SYNC.has(type)) continue;
      return this.#take(type === TERMINATE ? 'terminate' : 'messages', type === FLUSH);
    }
    return undefined;
  }

  #take(kind: ClientRequest['kind'], syncPending = false): ClientRequest {
    const bytes = this.#buffer.subarray(this.#start, this.#position);
    this.#start = this.#position;
    return { kind, bytes, syncPending };
  }
}
