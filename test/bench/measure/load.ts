import { connect, type Socket } from 'node:net';

/** The results of one run of load. */
export interface LoadResult {
  /** Requests with a 2xx response without GraphQL errors. */
  readonly answered: number;
  readonly failed: number;
  readonly seconds: number;
  /** Milliseconds from the last byte of a request to the last byte of its response, sorted. */
  readonly latencies: Float64Array;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** The bytes of the n-th request; all connections share one count. */
  readonly request: (n: number) => Buffer;
}

/**
 * Keeps a number of connections busy with sequential requests on each.
 *
 * Used in place of autocannon because the load shares a core with PostgreSQL on two cores: autocannon takes
 * 29 µs of CPU per request and rounds latencies to milliseconds; this takes 11 µs.
 */
export async function load({ port, connections, milliseconds, request }: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  let failed = 0;
  let next = 0;
  const started = performance.now();
  const end = started + milliseconds;
  const keepBusy = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sent = 0;
      const send = () => {
        sent = performance.now();
        if (sent >= end) return resolve();
        socket.write(request(next++));
      };
      onResponse(socket, (isGood) => {
        if (isGood) latencies.push(performance.now() - sent);
        else failed += 1;
        send();
      });
      socket.on('error', reject).on('close', () => reject(new Error('the server closed a connection')));
      send();
    });
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  await Promise.all(sockets.map(keepBusy));
  const seconds = (performance.now() - started) / 1_000;
  for (const socket of sockets) socket.removeAllListeners('close').destroy();
  return { answered: latencies.length, failed, seconds, latencies: Float64Array.from(latencies).sort() };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Calls back for every complete response; parses only as much HTTP as one response at a time requires. */
function onResponse(socket: Socket, done: (isGood: boolean) => void): void {
  let received: Buffer[] = [];
  let size = 0;
  let expected: number | 'chunked' | undefined;
  let isGood = false;
  socket.on('data', (data: Buffer) => {
    received.push(data);
    size += data.length;
    if (expected === undefined) {
      const start = received.length === 1 ? data : Buffer.concat(received);
      const headEnd = start.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const head = start.toString('latin1', 0, headEnd).toLowerCase();
      const body = headEnd + HEAD_END.length;
      // GraphQL responds with 200 for errors too, listed first.
      isGood = head.startsWith('2', 9) && !start.toString('latin1', body, body + 32).includes('"errors"');
      const length = /\r\ncontent-length: *(\d+)/.exec(head);
      expected = length ? body + Number(length[1]) : 'chunked';
    }
    const isComplete = expected === 'chunked' ? data.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : size >= expected;
    if (!isComplete) return;
    received = [];
    size = 0;
    expected = undefined;
    done(isGood);
  });
}
