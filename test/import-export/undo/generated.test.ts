import { it } from 'vitest';
import { onEachStore } from '../../support/service.ts';
import { compareUndone } from './compare.ts';

onEachStore((service) => {
  it('an import that is undone leaves no trace in the export, and later edits survive', () =>
    compareUndone(service, { seed: 7, numRuns: 12 }));
});
