import { type DirectoryLock, lockDirectory } from '../../src/store/directory-lock.ts';
import { obey } from './child.ts';

let held: DirectoryLock | undefined;

await obey({
  async lock(directory = '') {
    held = await lockDirectory(directory);
    return 'held';
  },
  async release() {
    await held?.release();
    held = undefined;
  },
});
