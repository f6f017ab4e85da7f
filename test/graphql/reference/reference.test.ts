import { expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { compareRequests } from './compare.ts';

/** `npm run test:fuzz` compares many more. */
const DOCUMENTS = 60;

onOneStore((service) => {
  it(`returns the same results as graphql-js for ${DOCUMENTS} generated documents`, async () => {
    const { id } = await service.organization();
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const result = await compareRequests({
      service,
      organizationId: id,
      documents: DOCUMENTS,
      seed,
      timeLimitMs: 60_000,
    });
    expect(result).toEqual({ documents: DOCUMENTS, seed, difference: undefined });
  });
});
