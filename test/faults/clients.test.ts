import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, type Instance, organizationWithKey, startInstance, temporaryDirectory } from './support/instance.ts';

const IDLE = 10_000;

let instance: Instance;
let key: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  const environment = { DATA_DIR: temporaryDirectory(), RATE_LIMIT_PER_MINUTE: '1000000' };
  ({ key } = organizationWithKey(environment));
  instance = await startInstance(environment);
  await instance.ready();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await instance.end('SIGKILL');
});

/** Opens a connection from one of many local addresses and sends data. */
function open(n: number, sent = ''): Promise<Socket> {
  const port = Number(new URL(instance.address).port);
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${1 + (n % 4)}` }, () => {
      socket.write(sent);
      resolve(socket);
    });
    socket.once('error', reject);
    sockets.push(socket);
  });
}

async function slowestOf(count: number): Promise<number> {
  let slowest = 0;
  for (let n = 0; n < count; n++) {
    const { status, took } = await ask(instance.address, key, '/v1/members?limit=1');
    expect(status).toBe(200);
    slowest = Math.max(slowest, took);
  }
  return slowest;
}

it(`serves others despite ${IDLE} idle connections`, async () => {
  for (let n = 0; n < IDLE; n += 500) await Promise.all(Array.from({ length: 500 }, (_, i) => open(n + i)));
  const slowest = await slowestOf(50);
  process.stdout.write(`slowest of 50 beside ${IDLE} idle connections: ${Math.round(slowest)} ms\n`);
  expect(slowest).toBeLessThan(1_000);
});

it('serves others despite endless request bodies, and closes those in limited time', async () => {
  const head = `POST /v1/members HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n`;
  const slow = await Promise.all(
    Array.from({ length: 500 }, (_, n) => open(n, `${head}Content-Length: 1000\r\n\r\n{"first_name"`)),
  );
  const closed = slow.map((socket) => new Promise((resolve) => socket.once('close', resolve).resume()));
  const slowest = await slowestOf(50);
  process.stdout.write(`slowest of 50 beside 500 bodies that never end: ${Math.round(slowest)} ms\n`);
  expect(slowest).toBeLessThan(1_000);
  await Promise.all(closed);
});
