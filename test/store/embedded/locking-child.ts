import { type DirectoryLock, lockDirectory } from '../../../src/store/embedded/directory-lock.ts';
import { obey } from '../../support/processes/child.ts';

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
