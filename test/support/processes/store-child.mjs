import { openStore } from '../../../dist/store/store.js';
import { runCommands } from './run-commands.mjs';

/** @type {import('../../../src/store/store.ts').Store} */
let store;

await runCommands({
  async open(dataDirectory) {
    store = await openStore({ dataDirectory });
    return 'open';
  },
  /** Stores an organization, and responds only when it is stored. */
  async insert(id) {
    await store.db.rows({
      text: "INSERT INTO organization (id, name, country) VALUES ($1, 'Child', 'US')",
      values: [id],
    });
    return 'stored';
  },
});
