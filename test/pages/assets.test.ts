import { expect, it } from 'vitest';
import { createAssets } from '../../src/pages/assets.ts';

it('files are read again after a failure, as without free file descriptors', async () => {
  let loads = 0;
  const assets = createAssets(async () => {
    loads += 1;
    if (loads <= 2) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    return [{ name: 'page.css', type: 'text/css', content: 'a {}' }];
  });
  await expect(assets.version()).rejects.toThrow('EMFILE');
  await expect(assets.version()).rejects.toThrow('EMFILE');
  const response = await assets.routes.request(`/${await assets.version()}/page.css`);
  expect([response.status, loads]).toEqual([200, 3]);
});
