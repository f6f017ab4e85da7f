/** What a client of the PostgreSQL protocol sent, as far as a server without users and encryption tells it apart. */
export interface ClientRequest {
  readonly kind: 'startup' | 'encryption' | 'cancel' | 'terminate' | 'messages';
  readonly bytes: Buffer;
  /** Whether the next messages of this client belong to these: they were flushed, and their Sync is still to come. */
  readonly syncPending: boolean;
}

/** Thrown for bytes that are not the PostgreSQL protocol, version 3. */
class ProtocolViolation extends Error {}

const PROTOCOL_3 = 196_608;
const CANCEL_REQUEST = 80_877_102;
/** SSLRequest and GSSENCRequest. */
const ENCRYPTION_REQUESTS = [80_877_103, 80_877_104];
const STARTUP_MAX_BYTES = 10_000;
const MESSAGE_MAX_BYTES = 2 ** 30;

/** Parse, Bind, Describe, Execute and Close: nothing is answered before the Sync or Flush after them. */
const BEFORE_SYNC = new Set([...'PBDEC'].map((type) => type.charCodeAt(0)));
const FLUSH = 'H'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/**
 * Divides what a client sends into requests that can run one after another with those of other clients: an
 * extended query from its Parse to its Sync is one, because between two of its messages another client's Parse
 * would replace the statement.
 */
export class FrontendReader {
  #buffer: Buffer = Buffer.alloc(0);
  /** Where the first message begins that was not looked at yet. */
  #position = 0;
  #started = false;

  /**
   * Takes the next bytes.
   *
   * @returns the requests that they complete.
   * @throws {ProtocolViolation}
   */
  read(bytes: Buffer): ClientRequest[] {
    this.#buffer = this.#buffer.length > 0 ? Buffer.concat([this.#buffer, bytes]) : bytes;
    const requests: ClientRequest[] = [];
    for (;;) {
      const request = this.#started ? this.#nextMessages() : this.#nextStartup();
      if (!request) return requests;
      requests.push(request);
    }
  }

  #nextStartup(): ClientRequest | undefined {
    if (this.#buffer.length < 8) return undefined;
    const length = this.#buffer.readInt32BE(0);
    const code = this.#buffer.readInt32BE(4);
    if (length < 8 || length > STARTUP_MAX_BYTES) throw new ProtocolViolation('this is no startup message');
    if (this.#buffer.length < length) return undefined;
    this.#position = length;
    if (ENCRYPTION_REQUESTS.includes(code)) return this.#take('encryption');
    if (code === CANCEL_REQUEST) return this.#take('cancel');
    if (code !== PROTOCOL_3) throw new ProtocolViolation('only version 3.0 of the protocol is supported');
    this.#started = true;
    return this.#take('startup');
  }

  #nextMessages(): ClientRequest | undefined {
    while (this.#buffer.length >= this.#position + 5) {
      const type = this.#buffer[this.#position] as number;
      const length = this.#buffer.readInt32BE(this.#position + 1);
      if (length < 4 || length > MESSAGE_MAX_BYTES) throw new ProtocolViolation('a message has an impossible length');
      if (this.#buffer.length < this.#position + 1 + length) return undefined;
      this.#position += 1 + length;
      if (BEFORE_SYNC.has(type)) continue;
      return this.#take(type === TERMINATE ? 'terminate' : 'messages', type === FLUSH);
    }
    return undefined;
  }

  #take(kind: ClientRequest['kind'], syncPending = false): ClientRequest {
    const bytes = this.#buffer.subarray(0, this.#position);
    this.#buffer = this.#buffer.subarray(this.#position);
    this.#position = 0;
    return { kind, bytes, syncPending };
  }
}
