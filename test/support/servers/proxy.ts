import { connect, createServer, type Socket } from 'node:net';

/** A proxy of a server that can be cut and frozen. */
export interface TcpProxy {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** Closes all connections and accepts no new ones, forwards nothing, or works normally. */
  become(state: 'cut' | 'frozen' | 'working'): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy of a server on a free port. */
export async function proxyTo(url: string): Promise<TcpProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (chunk) => other.write(chunk));
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      if (frozen) socket.pause();
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = async () => {
    const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as { port: number };
  const own = new URL(url);
  own.host = `127.0.0.1:${port}`;
  return {
    url: own.href,
    async become(state) {
      frozen = state === 'frozen';
      for (const socket of sockets) frozen ? socket.pause() : socket.resume();
      if (state === 'cut') await cut();
      else if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
