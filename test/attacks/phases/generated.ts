import { fork } from 'node:child_process';
import { on } from 'node:events';
import { fileURLToPath } from 'node:url';
import { times } from '../../support/data.ts';
import type { Phase } from '../attack.ts';
import type { HttpRequest } from '../client.ts';
import type { BatchSeries } from '../generating-child.ts';

/** Requests between checks of the event loop. */
const BATCH = 500;
const GENERATING_CHILD = fileURLToPath(new URL('../generating-child.ts', import.meta.url));

/** Random requests, valid and almost valid. */
export const generated: Phase = {
  name: 'generated',
  about: 'random requests to both APIs and the pages (--requests, --seed)',
  async run(attack) {
    const { target, seed, requests } = attack;
    if (requests === 0) return;
    const { key, surroundings, argumentValues } = target;
    const sizes = times(Math.ceil(requests / BATCH), (n) => Math.min(BATCH, requests - n * BATCH));
    const child = fork(GENERATING_CHILD, { serialization: 'advanced' });
    try {
      const messages = on(child, 'message', { close: ['disconnect'] });
      const series: BatchSeries = { values: { key, surroundings, argumentValues }, seed, sizes };
      child.send(series);
      let received = 0;
      for await (const [batch] of messages as AsyncIterable<[readonly HttpRequest[]]>) {
        const repeat = `npm run test:attacks -- --only generated --seed ${seed + received} --requests ${batch.length}`;
        received += 1;
        if (received < sizes.length) child.send('next');
        await attack.sendConcurrently(batch, repeat);
        if (received === sizes.length) break;
      }
      if (received < sizes.length) throw new Error(`${received} of ${sizes.length} batches were generated`);
    } finally {
      child.kill();
    }
  },
};
