import { it } from 'vitest';
import { onOneDatabase } from '../../support/service.ts';
import { compareMove } from './compare.ts';
import { SYSTEMS } from './systems.ts';

onOneDatabase((service) => {
  it.each(SYSTEMS)(
    'everybody moves from $name with the mapping file on the first try, and a newer export changes only what is newer',
    async (system) => {
      await compareMove(service, system, { seed: 1, size: 120 });
    },
  );
});
