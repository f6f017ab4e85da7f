import { listOrganizations } from '../domain/organization.ts';
import type { Store } from '../store/store.ts';
import { seedDemo, workingDemoKey } from './demo.ts';

/**
 * The demo key to show at start. An embedded database without any organization is seeded first; a
 * server's database never is.
 */
export async function openDemo(store: Store, dataDirectory: string): Promise<string | undefined> {
  if (store.embedded && (await listOrganizations(store)).length === 0) {
    return (await seedDemo(store, dataDirectory, 'first start')).key;
  }
  return workingDemoKey(store, dataDirectory);
}
