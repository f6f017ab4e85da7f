import { listApiKeys } from '../domain/admin/api-key.ts';
import { listOrganizations } from '../domain/admin/organization.ts';
import type { Store } from '../store/store.ts';
import { seedDemo } from './demo.ts';
import { usableDemoKey } from './demo-organization-key.ts';
import { DEMO_ORGANIZATION_ID } from './ids.ts';

/**
 * Returns the demo key for the banner. First creates the demo organization in an embedded database that has no
 * organizations; never in a database on a server.
 */
export async function openDemo(store: Store, dataDirectory: string): Promise<string | undefined> {
  if (store.embedded && (await isUnfinished(store))) {
    return (await seedDemo(store, dataDirectory, 'first start')).key;
  }
  return usableDemoKey(store, dataDirectory);
}

/**
 * Whether the database is empty, or a first start was killed after it stored the demo's records and before it stored
 * the key.
 */
async function isUnfinished(store: Store): Promise<boolean> {
  const organizations = await listOrganizations(store);
  const [only] = organizations;
  if (organizations.length > 1) return false;
  if (!only) return true;
  return only.id === DEMO_ORGANIZATION_ID && (await listApiKeys(store, only.id)).length === 0;
}
