import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { openStore } from '../../src/store/store.ts';
import { compareRequests } from '../graphql/reference/compare.ts';

const program = new Command('test:fuzz')
  .description('Compares the GraphQL API with graphql-js on generated documents, of its schema.')
  .option('--documents <number>', 'how many documents', wholeNumber, 10_000)
  .option('--seed <number>', 'the seed of an earlier run, to repeat it', wholeNumber)
  .option('--database-url <url>', 'an empty PostgreSQL database, instead of a new embedded one')
  .option('--json', 'print the result as JSON')
  .parse();

const {
  documents,
  databaseUrl,
  seed = Math.trunc(Math.random() * 2 ** 31),
  json,
} = program.opts<{
  documents: number;
  seed?: number;
  databaseUrl?: string;
  json?: true;
}>();
const dataDirectory = await mkdtemp(join(tmpdir(), 'fuzz-'));
const store = await openStore({ databaseUrl, dataDirectory });
try {
  const { id } = await createOrganization(store, { name: 'Fuzz', country: 'US' }, 'test');
  const started = Date.now();
  const result = await compareRequests({
    ...{ service: { store }, organizationId: id, documents, seed, timeLimitMs: 3_600_000 },
    onProgress: (done) => {
      if (!json && done % 1_000 === 0) console.error(`${done} of ${documents} documents, ${Date.now() - started} ms`);
    },
  });
  const { difference } = result;
  if (json) console.log(JSON.stringify(result));
  else
    console.log(
      `seed ${seed}: ${result.documents} documents, ${difference ? `a difference:\n${difference}` : 'no difference'}`,
    );
  if (difference || result.documents < documents) process.exitCode = 1;
} finally {
  await store.close();
  await rm(dataDirectory, { recursive: true, force: true });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
