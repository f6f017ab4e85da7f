import type { Phase } from '../attack.ts';
import { generateRequests } from '../generated-requests.ts';

/** Requests between checks of the event loop. */
const BATCH = 500;

/** Random requests, valid and almost valid. */
export const generated: Phase = {
  name: 'generated',
  about: 'random requests to both APIs and the pages (--requests, --seed)',
  async run({ target, seed, requests, sendConcurrently }) {
    for (let sent = 0; sent < requests; sent += BATCH) {
      const count = Math.min(BATCH, requests - sent);
      // Batch n is generated with the seed `seed + n`.
      const own = seed + sent / BATCH;
      const repeat = `npm run test:attacks -- --only generated --seed ${own} --requests ${count}`;
      await sendConcurrently(generateRequests(target, own, count), repeat);
    }
  },
};
