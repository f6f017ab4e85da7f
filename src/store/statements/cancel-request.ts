import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** How long the server may take to act on a cancel request. */
const CANCEL_TIMEOUT_MS = 1_000;

// Missing in the driver's types.
interface CancelConnection extends EventEmitter {
  readonly stream: Duplex;
  /** Connects to a port of a host, or to the path of a socket. */
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}
interface CancellableClient extends pg.ClientBase {
  readonly host: string;
  readonly port: number;
  readonly ssl: pg.ConnectionConfig['ssl'];
  readonly sslNegotiation: string;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Asks PostgreSQL to cancel the current statement of a connection (CancelRequest, on a separate connection). The server
 * closes that connection once it has signalled the backend; from then on, the request cannot affect a later statement.
 *
 * @returns whether the server has handled the request; if not, it may still do so at any time.
 */
export function sendCancelRequest(client: pg.ClientBase): Promise<boolean> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as CancellableClient;
  const connection = new pg.Connection({ ssl, sslNegotiation } as pg.ConnectionConfig) as unknown as CancelConnection;
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), CANCEL_TIMEOUT_MS);
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      connection.stream.destroy();
      resolve(isDone);
    };
    const cancel = () => connection.cancel(processID, secretKey);
    connection.on('error', () => end(false));
    connection.on('end', () => end(true));
    connection.on('connect', () => {
      if (!ssl) cancel();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    connection.on('sslconnect', cancel);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
