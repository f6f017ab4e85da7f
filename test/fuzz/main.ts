import { createOrganization } from '../../src/domain/admin/organization.ts';
import { compareRequests } from '../graphql/reference/compare.ts';
import { print, randomTestCommand, wholeNumber, withStore } from '../support/load/harness.ts';

const { documents, databaseUrl, seed } = randomTestCommand(
  'test:fuzz',
  'Compares the GraphQL API with graphql-js on generated documents of its schema.',
)
  .option('--documents <number>', 'the number of documents', wholeNumber, 10_000)
  .parse()
  .opts<{ documents: number; seed: number; databaseUrl?: string }>();
const started = Date.now();

await withStore(databaseUrl, async (store) => {
  const compared = await compareRequests({
    service: { store },
    organizationId: (await createOrganization(store, { name: 'Fuzz', country: 'US' }, 'test')).id,
    documents,
    seed,
    timeLimitMs: 3_600_000,
    onProgress: (done) => {
      if (done % 1_000 === 0) print(`${done} of ${documents} documents, ${Date.now() - started} ms`);
    },
  });
  const { difference } = compared;
  print(
    `seed ${seed}: ${compared.documents} documents, ${difference ? `a difference:\n${difference}` : 'no difference'}`,
  );
  if (difference || compared.documents < documents) process.exitCode = 1;
});
