import { mkdir } from 'node:fs/promises';
import { createApiKey } from '../domain/admin/api-key.ts';
import { hashOfKey, isWellFormedKey, newKey } from '../domain/admin/api-key-secret.ts';
import { ALL_SCOPES } from '../domain/core/scopes.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { DEMO_ORGANIZATION_ID } from './ids.ts';
import { readDemoKey, writeDemoKey } from './key-file.ts';

/** `unknown`: not on file in this store. `unusable`: revoked, expired, or another organization's. */
type State = 'usable' | 'unusable' | 'unknown';

/** The key in the demo key's file where it opens the demo organization of this store; by the database's clock. */
export async function usableDemoKey(store: Store, dataDirectory: string): Promise<string | undefined> {
  const key = await readDemoKey(dataDirectory);
  return key !== undefined && (await stateOf(store, key)) === 'usable' ? key : undefined;
}

/**
 * The demo key that works; made, or put on file again in a new store, where there is none.
 *
 * The file is written first: a process that is killed in between leaves a key that the next one puts on
 * file, never one on file that nobody knows.
 */
export async function ensureDemoKey(store: Store, dataDirectory: string, by: string): Promise<string> {
  const kept = await readDemoKey(dataDirectory);
  const state = kept === undefined ? 'unusable' : await stateOf(store, kept);
  if (kept !== undefined && state === 'usable') return kept;
  const key = kept !== undefined && state === 'unknown' && isWellFormedKey(kept) ? kept : newKey();
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await writeDemoKey(dataDirectory, key);
  const input = { organization_id: DEMO_ORGANIZATION_ID, name: 'Demo key', scopes: ALL_SCOPES, expires_in_days: null };
  // The service must start however many keys were made there.
  await createApiKey(store, input, by, { key, maxActive: Number.POSITIVE_INFINITY });
  return key;
}

async function stateOf({ db }: Store, key: string): Promise<State> {
  const [record] = await db.rows<{ usable: boolean }>(sql`
    SELECT organization_id = ${DEMO_ORGANIZATION_ID} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now()) AS usable
    FROM api_key WHERE hash = ${hashOfKey(key)}`);
  if (!record) return 'unknown';
  return record.usable ? 'usable' : 'unusable';
}
