import { comparePeople } from '../import-export/people/compare.ts';
import { compareUndone } from '../import-export/undo/compare.ts';
import { appOn } from '../support/apps.ts';
import { client } from '../support/client.ts';
import {
  createOrganizationWithKeys,
  print,
  randomTestCommand,
  wholeNumber,
  withStore,
} from '../support/load/harness.ts';

const { runs, databaseUrl, seed } = randomTestCommand(
  'test:imports',
  'Imports files of random people with random options, and compares members with a model, and undone imports with exports.',
)
  .option('--runs <number>', 'the number of organizations for each of three comparisons', wholeNumber, 300)
  .parse()
  .opts<{ runs: number; databaseUrl?: string; seed: number }>();
const started = Date.now();

await withStore(databaseUrl, async (store) => {
  const app = appOn({ store }, {});
  const service = {
    store,
    organization: async () => {
      const { id, key } = await createOrganizationWithKeys(store, 'Imports');
      return { id, ...client(app, key) };
    },
  };
  const sampling = { seed, numRuns: runs };
  const comparisons = {
    'people with distinct first names': () => comparePeople(service, 'distinct', sampling),
    'people with common first names': () => comparePeople(service, 'common', sampling),
    'undone imports': () => compareUndone(service, sampling),
  };
  for (const [name, compare] of Object.entries(comparisons)) {
    await compare();
    print(`seed ${seed}, ${name}: ${runs} runs, ${Math.round((Date.now() - started) / 1_000)} s, no difference`);
  }
});
