import type { TestProject } from 'vitest/node';
import { openStore } from '../../../src/store/store.ts';
import { createOrganizationWithKeys } from '../../support/load/harness.ts';
import { startProxy } from './prism.ts';
import { startDemo } from './running-service.ts';

/** Starts the service for all tests, and Prism as a proxy of its REST API. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await startDemo();
  const prism = startProxy(`${service.address}/v1`);
  const stop = async () => {
    const [started] = await Promise.allSettled([prism]);
    if (started.status === 'fulfilled') await started.value.stop();
    await service.stop();
  };
  try {
    const store = await openStore({ dataDirectory: service.dataDirectory, join: true });
    const { key } = await createOrganizationWithKeys(store, 'Clients').finally(() => store.close());
    project.provide('address', service.address);
    project.provide('key', service.key);
    project.provide('otherKey', key);
    project.provide('prism', (await prism).address);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
