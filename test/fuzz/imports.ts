import { createOrganization } from '../../src/domain/admin/organization.ts';
import { compareMove } from '../import-export/moves/compare.ts';
import { SYSTEMS } from '../import-export/moves/systems.ts';
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

const {
  members: size,
  runs,
  databaseUrl,
  seed,
} = randomTestCommand(
  'test:imports',
  'Moves generated churches from each system, and imports files of random people with random options. Compares members with those that were generated and with a model, and undone imports with exports.',
)
  .option('--runs <number>', 'the number of organizations for each of three comparisons', wholeNumber, 300)
  .option('--members <number>', 'the number of members of a church', wholeNumber, 2_000)
  .parse()
  .opts<{ members: number; runs: number; databaseUrl?: string; seed: number }>();
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
  const churches = {
    store,
    organization: (settings: { country: string }) => createOrganization(store, { name: 'Moves', ...settings }, 'test'),
  };
  for (const system of size === 0 ? [] : SYSTEMS) {
    const { members, values } = await compareMove(churches, system, { seed, size });
    print(`seed ${seed}, a move from ${system.name}: ${members} members, ${values} values, no difference`);
  }
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
