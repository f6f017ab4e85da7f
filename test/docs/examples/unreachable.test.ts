import { expect, it } from 'vitest';
import { startWebsite } from './running.ts';

it.each(['directory.js', 'form.js'])('%s responds with an error while the service is unreachable', async (name) => {
  const website = await startWebsite(name, { API_URL: 'http://127.0.0.1:1', API_KEY: 'cms_key' });
  for (const _ of [1, 2]) expect((await fetch(website)).status).toBe(500);
});
