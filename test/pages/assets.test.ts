import { expect, it } from 'vitest';
import { createAssets } from '../../src/pages/assets.ts';

/** Files whose first reads fail, as without free file descriptors. */
function unreadable(failures: number) {
  let loads = 0;
  const assets = createAssets(async () => {
    loads += 1;
    if (loads <= failures) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    return [{ name: 'page.css', type: 'text/css', content: 'a {}' }];
  });
  return { assets, loads: () => loads };
}

it('reads files again after a failure', async () => {
  const { assets, loads } = unreadable(2);
  await expect(assets.version()).rejects.toThrow('EMFILE');
  await expect(assets.version()).rejects.toThrow('EMFILE');
  const response = await assets.routes.request(`/${await assets.version()}/page.css`);
  expect([response.status, loads()]).toEqual([200, 3]);
});

it('reads files once for concurrent and later requests', async () => {
  const { assets, loads } = unreadable(1);
  const failed = await Promise.allSettled([assets.version(), assets.version(), assets.version()]);
  expect([failed.map(({ status }) => status), loads()]).toEqual([['rejected', 'rejected', 'rejected'], 1]);
  const [one, other] = await Promise.all([assets.version(), assets.version()]);
  expect([one === other, one === (await assets.version()), loads()]).toEqual([true, true, 2]);
});
