/** How often a comment is sent, so that proxies and clients do not take an idle stream for a broken one. */
const COMMENT_MS = 15_000;

const COMMENT = ':\n\n';

/** The limits of what clients have not read yet: of all streams together, and the time for the events of one. */
const UNREAD_LIMITS = { bytes: 64 * 1024 * 1024, milliseconds: 60_000 } as const;

interface Connection {
  destroy(): unknown;
}

/** The streams whose client has not read the last events, the oldest first, with the bytes of these. */
const unread = new Map<EventStream, number>();

/**
 * The body of a response of Server-Sent Events. It asks for the next events only when the client has read the previous ones,
 * so a slow client slows down only its own stream. The connection is closed if a client takes too long to read, or if it is
 * the slowest and all streams together have too much unread data.
 */
class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  private controller!: ReadableStreamDefaultController<Uint8Array>;
  private readonly commentTimer: NodeJS.Timeout;
  private unreadTimer: NodeJS.Timeout | undefined;
  /** Whether the client can take more data. */
  private isWanted = false;
  private isReading = false;
  private ready: IteratorResult<string, undefined> | undefined;

  constructor(
    private readonly events: AsyncIterator<string>,
    private readonly connection: Connection | undefined,
    private readonly onError: (error: unknown) => void,
    commentMs: number,
  ) {
    this.commentTimer = setInterval(() => this.isWanted && this.send(COMMENT), commentMs);
    this.body = new ReadableStream(
      {
        start: (controller) => {
          this.controller = controller;
        },
        pull: () => this.pull(),
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    );
  }

  private pull(): void {
    this.setRead();
    this.isWanted = true;
    if (this.ready) this.sendReady();
    else if (!this.isReading) void this.read();
  }

  private async read(): Promise<void> {
    this.isReading = true;
    try {
      this.ready = await this.events.next();
    } catch (error) {
      this.onError(error);
      this.connection?.destroy();
      return;
    } finally {
      this.isReading = false;
    }
    if (this.isWanted) this.sendReady();
    else if (unread.has(this)) this.countUnread(Buffer.byteLength(this.ready.value ?? ''));
  }

  private sendReady(): void {
    const { done, value } = this.ready as IteratorResult<string, undefined>;
    this.ready = undefined;
    if (!done) {
      this.send(value);
      return;
    }
    this.clear();
    this.controller.close();
  }

  private send(text: string): void {
    this.isWanted = false;
    const bytes = Buffer.from(text);
    this.unreadTimer = setTimeout(() => this.abandon(), UNREAD_LIMITS.milliseconds);
    this.controller.enqueue(bytes);
    this.countUnread(bytes.length);
  }

  private countUnread(bytes: number): void {
    unread.set(this, (unread.get(this) ?? 0) + bytes);
    closeSlowest();
  }

  private setRead(): void {
    clearTimeout(this.unreadTimer);
    unread.delete(this);
  }

  private clear(): void {
    this.setRead();
    this.isWanted = false;
    clearInterval(this.commentTimer);
  }

  /** Closes the connection of a client that does not read. */
  abandon(): void {
    unread.delete(this);
    this.connection?.destroy();
  }

  private async close(): Promise<void> {
    this.clear();
    await this.events.return?.();
  }
}

function closeSlowest(): void {
  let bytes = 0;
  for (const length of unread.values()) bytes += length;
  for (const [stream, length] of unread) {
    if (bytes <= UNREAD_LIMITS.bytes) return;
    bytes -= length;
    stream.abandon();
  }
}

/**
 * Returns the body of a response of Server-Sent Events, with a comment at regular intervals.
 *
 * @param events the events as text; several can be in one text. When the client closes the connection, `return` is called.
 * @param connection the response on the connection of the client; absent for requests within the process.
 * @param onError called with the error of `events`, with which the connection is closed.
 */
export function eventStream(
  events: AsyncIterator<string>,
  connection: Connection | undefined,
  onError: (error: unknown) => void = () => {},
  commentMs: number = COMMENT_MS,
): ReadableStream<Uint8Array> {
  return new EventStream(events, connection, onError, commentMs).body;
}
