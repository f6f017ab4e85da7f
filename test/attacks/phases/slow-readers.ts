import { connect, type Socket } from 'node:net';
import { times } from '../../support/data.ts';
import { requestText } from '../../support/requests/socket.ts';
import type { Attack, Phase } from '../attack.ts';
import { LARGE_ANSWER } from './documents.ts';

const CONNECTIONS = 40;
/** The maximum memory of unread responses, including copies (the service's limit is 64 MB). */
const MAX_HELD_BYTES = 200 * 2 ** 20;
/** The requests of a well-behaved client meanwhile. */
const MEANWHILE = 200;

/** Clients that request megabytes without reading them, while others use the service. */
export const slowReaders: Phase = {
  name: 'slow-readers',
  about: `${CONNECTIONS} connections that request responses of several MB without reading them`,
  async run(attack) {
    const { service, key } = attack.target;
    const before = await service.sample();
    const sockets = times(CONNECTIONS, () => ask(service.port, key));
    for (const _ of sockets) attack.count(undefined);
    const ordinary = attack.rest('a request among slow readers', 'GET', '/v1/members?limit=10');
    await attack.sendConcurrently(
      times(MEANWHILE, () => ordinary),
      again(attack),
      2,
    );
    const held = (await service.sample()).rss - before.rss;
    if (held > MAX_HELD_BYTES)
      attack.report(`the service holds ${Math.round(held / 2 ** 20)} MB for clients that do not read`, again(attack));
    for (const socket of sockets) socket.destroy();
    await attack.sendConcurrently([ordinary], again(attack));
  },
};

const again = ({ seed }: Attack) => `npm run test:attacks -- --seed ${seed} --only slow-readers`;

function ask(port: number, key: string): Socket {
  const socket = connect(port, '127.0.0.1');
  // The service closes connections with responses that are not read for long.
  socket.on('error', () => {});
  socket.pause();
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  socket.write(requestText('POST /graphql HTTP/1.1', headers, JSON.stringify({ query: LARGE_ANSWER })));
  return socket;
}
