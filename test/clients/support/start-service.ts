import type { TestProject } from 'vitest/node';
import { makeOrganizations } from './organizations.ts';
import { startProxy } from './prism.ts';
import { startService } from './running-service.ts';

/** Starts the service for all tests, and Prism as a proxy of its REST API. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await startService();
  const prism = startProxy(`${service.address}/v1`);
  const stop = async () => {
    const [started] = await Promise.allSettled([prism]);
    if (started.status === 'fulfilled') await started.value.stop();
    await service.stop();
  };
  try {
    const organizations = await makeOrganizations(service.dataDirectory);
    project.provide('address', service.address);
    project.provide('key', service.key);
    project.provide('prism', (await prism).address);
    project.provide('organizations', organizations);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
