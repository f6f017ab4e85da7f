import { it } from 'vitest';
import { onOneDatabase } from '../../support/service.ts';
import { comparePeople } from './compare.ts';

onOneDatabase((service) => {
  it.each(['distinct', 'common'] as const)(
    'predicts which rows are which members in a dry run and by a model, with %s first names',
    (names) => comparePeople(service, names, { seed: 1, numRuns: 3 }),
  );
});
