import { listApiKeys } from '../domain/admin/api-key.ts';
import { listOrganizations } from '../domain/admin/organization.ts';
import type { Store } from '../store/store.ts';
import { seedDemo } from './demo.ts';
import { usableDemoKey } from './demo-organization-key.ts';
import { DEMO_ORGANIZATION_ID } from './organization-id.ts';

/**
 * Returns the demo key; undefined if there is none. In an embedded database without organizations, first creates the demo
 * organization; never in a database on a server.
 */
export async function openDemo(store: Store, dataDirectory: string): Promise<string | undefined> {
  if (store.embedded && (await needsDemo(store))) {
    return (await seedDemo(store, dataDirectory, 'first start')).key;
  }
  return usableDemoKey(store, dataDirectory);
}

/** Whether there are no organizations, or only a demo organization that has no key because its creation was interrupted. */
async function needsDemo(store: Store): Promise<boolean> {
  const organizations = await listOrganizations(store);
  const [only] = organizations;
  if (organizations.length > 1) return false;
  if (!only) return true;
  return only.id === DEMO_ORGANIZATION_ID && (await listApiKeys(store, only.id)).length === 0;
}
