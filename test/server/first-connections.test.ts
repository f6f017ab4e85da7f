import { expect, inject, it } from 'vitest';
import { createFaults } from '../../src/observability/lasting-fault.ts';
import { openServiceStore } from '../../src/server/open-service-store.ts';
import { readSettings } from '../../src/settings.ts';
import { recordingLog } from '../support/apps.ts';

it.skipIf(!inject('databaseUrl'))('has opened its connections before it serves the first request', async () => {
  const settings = readSettings({ DATABASE_URL: inject('databaseUrl') });
  const { log } = recordingLog();
  const store = await openServiceStore(settings, log, createFaults(settings, log).store);
  try {
    expect(store.pools.map(({ idleCount }) => idleCount)).toEqual(store.pools.map(({ options }) => options.max));
  } finally {
    await store.close();
  }
});
