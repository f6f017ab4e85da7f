// Runs built code instead of TypeScript, since several of these start at once.
import { lockDirectory } from '../../../dist/store/embedded/directory-lock.js';
import { runCommands } from '../../support/processes/run-commands.mjs';

let held;

await runCommands({
  async lock(directory) {
    held = await lockDirectory(directory);
    return 'held';
  },
  async release() {
    await held?.release();
    held = undefined;
  },
});
