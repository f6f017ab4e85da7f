import type { TestProject } from 'vitest/node';
import { startService } from './running-service.ts';

/** Starts the service that all tests share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, key, stop } = await startService();
  project.provide('address', address);
  project.provide('key', key);
  return stop;
}
