import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiKey } from '../domain/admin/api-key.ts';
import { hashKey, isWellFormedKey, newKey } from '../domain/admin/api-key-secret.ts';
import { ALL_SCOPES } from '../domain/core/scopes.ts';
import { createFolder } from '../file-system/create-folder.ts';
import { replaceFiles } from '../file-system/replace-files.ts';
import { resolveLinks } from '../file-system/resolve-links.ts';
import { databaseTime } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { DEMO_ORGANIZATION_ID } from './organization-id.ts';

/** `unknown`: not in this store. `unusable`: revoked, expired, or a key of another organization. */
type State = 'usable' | 'unusable' | 'unknown';

/** Returns the key in the key file of `dataDirectory`, if it is valid for the demo organization of this store. */
export async function usableDemoKey(store: Store, dataDirectory: string): Promise<string | undefined> {
  const key = await readDemoKey(dataDirectory);
  return key !== undefined && (await stateOf(store, key)) === 'usable' ? key : undefined;
}

/**
 * Returns the demo key, and creates it unless the key in the file is valid. A key in the file that is not in this store is
 * added to the store; otherwise a new key replaces it.
 *
 * The file is written first: if the process is killed before the key is stored, the next call stores the key of the file.
 *
 * @param by the operator, for the history of the key.
 */
export async function ensureDemoKey(store: Store, dataDirectory: string, by: string): Promise<string> {
  const stored = await readDemoKey(dataDirectory);
  const state = stored === undefined ? 'unusable' : await stateOf(store, stored);
  if (stored !== undefined && state === 'usable') return stored;
  const key = stored !== undefined && state === 'unknown' && isWellFormedKey(stored) ? stored : newKey();
  await createFolder(dataDirectory, 0o700);
  await writeDemoKey(dataDirectory, key);
  const input = { organization_id: DEMO_ORGANIZATION_ID, name: 'Demo key', scopes: ALL_SCOPES, expires_in_days: null };
  // Without a limit, because the service must start even if the organization has the maximum number of keys.
  await createApiKey(store, input, by, { key, maxActive: Number.POSITIVE_INFINITY });
  return key;
}

async function stateOf({ prisma }: Store, key: string): Promise<State> {
  const record = await prisma.apiKey.findUnique({ where: { hash: hashKey(key) } });
  if (!record) return 'unknown';
  const { organizationId, revokedAt, expiresAt } = record;
  const isExpired = expiresAt !== null && expiresAt <= (await databaseTime(prisma));
  return organizationId === DEMO_ORGANIZATION_ID && revokedAt === null && !isExpired ? 'usable' : 'unusable';
}

/**
 * Returns the path of the file with the demo key. It is the only key that is stored in plain text, so that it can be shown
 * again.
 */
function keyFile(dataDirectory: string): string {
  return join(dataDirectory, 'demo-key');
}

/** The demo key of a data directory; undefined if there is none. */
async function readDemoKey(dataDirectory: string): Promise<string | undefined> {
  const content = await readFile(keyFile(dataDirectory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return content.trim() || undefined;
}

/** Stores the demo key, readable by its owner only. */
async function writeDemoKey(dataDirectory: string, key: string): Promise<void> {
  const file = await resolveLinks(keyFile(dataDirectory));
  await replaceFiles([file], ([path]) =>
    writeFile(path as string, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true }),
  );
}
