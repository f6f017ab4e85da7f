import { connect, type Socket } from 'node:net';

/** Misbehaving connections to the service on a port. */
export function createConnections(port: number) {
  const idle: Socket[] = [];
  return {
    /** Sends a partial or complete request and disconnects before the response. */
    async disconnect(text: string): Promise<void> {
      const socket = await open(port);
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      socket.destroy();
    },
    /** Keeps a number of idle connections; closes the oldest above it. */
    async idle(count: number): Promise<void> {
      while (idle.length < count) idle.push(await open(port));
      for (const socket of idle.splice(0, idle.length - count + Math.ceil(count / 40))) socket.destroy();
    },
    close(): void {
      for (const socket of idle.splice(0)) socket.destroy();
    },
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    // The service closes idle connections.
    socket.on('error', reject);
  });
}
