import { openStore } from '../../../dist/store/store.js';
import { echoes } from '../servers/echoes.mjs';
import { runCommands } from './run-commands.mjs';

/** @type {import('../../../src/store/store.ts').Store} */
let store;
/** @type {() => Promise<unknown>} */
let commit = async () => 'no transaction';

const organization = (id) => ({
  text: "INSERT INTO organization (id, name, country) VALUES ($1, 'Child', 'US')",
  values: [id],
});

await runCommands({
  async open(dataDirectory, join) {
    store = await openStore({ dataDirectory, join: join === 'join' });
    return 'open';
  },
  async close() {
    await store?.close();
  },
  /** Stores an organization, and responds only when it is stored. */
  async insert(id) {
    await store.db.rows(organization(id));
    return 'stored';
  },
  async count(id) {
    return (await store.db.rows({ text: 'SELECT FROM organization WHERE id = $1', values: [id] })).length;
  },
  /** Stores an organization in a transaction that stays open until `commit`. */
  begin: (id) =>
    new Promise((resolve, reject) => {
      const ended = store.db.transaction(async (transaction) => {
        await transaction.rows(organization(id));
        resolve('open');
        await new Promise((end) => {
          commit = () => {
            end();
            return ended.then(() => 'stored');
          };
        });
      });
      ended.catch(reject);
    }),
  commit: () => commit(),
  /** Runs statements of all kinds until the process ends. */
  async stress() {
    const forever = async (work) => {
      for (;;) await work();
    };
    void forever(() => echoes(store.db, 'stress', 5));
    void forever(() =>
      store.db.transaction((transaction) => transaction.rows({ text: 'SELECT $1::text', values: ['in'] })),
    );
    void forever(() => store.db.rows({ text: 'SELECT 1 / $1::int', values: [0] }).catch(() => {}));
    return 'stressing';
  },
  echoes: async (name, count) => echoes(store.db, name, Number(count)),
});
