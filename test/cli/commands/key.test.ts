import { describe, expect, it } from 'vitest';
import { createKeyUsage } from '../../../src/auth/key-usage.ts';
import { sql } from '../../../src/store/sql.ts';
import { runCli } from '../../support/processes/cli.ts';
import { cms, environment, newKey, runOk, runRefused, text, withDb } from './commands.ts';

describe('cms key', () => {
  it('creates, lists and revokes keys, and prints their history', async () => {
    const { organization, key } = await newKey('never');
    expect(key).toMatchObject({ key: expect.stringMatching(/^cms_/), state: 'active', expires_at: null });
    const [listed] = await runOk('key', 'list', '--organization', organization.id);
    expect({ ...listed, key: key.key }).toEqual(key);
    expect((await runOk('key', 'revoke', key.id)).state).toBe('revoked');
    const history = await runOk('key', 'history', key.id);
    expect(history.map(({ event }: { event: string }) => event)).toEqual(['created', 'revoked']);
    expect(await runRefused('key', 'revoke', 'key_unknown')).toEqual({
      code: 'not_found',
      message: 'API key not found; "./cms key list --organization ORGANIZATION_ID" shows the ids',
    });
    expect((await runRefused('key', 'list', '--organization', 'org_unknown')).code).toBe('not_found');
  });

  it('changes the name and the description of a key', async () => {
    const { organization, key } = await newKey();
    const { key: _secret, ...created } = key;
    const updated = await runOk('key', 'update', key.id, '--name', 'Newsletter', '--description', 'Of the parish');
    expect(updated).toEqual({ ...created, name: 'Newsletter', description: 'Of the parish' });
    expect(await runOk('key', 'list', '--organization', organization.id)).toEqual([updated]);
    expect((await runOk('key', 'update', key.id, '--description', '')).description).toBeNull();
    expect((await runRefused('key', 'update', key.id, '--name', ' ')).details[0].field).toBe('--name');
    expect((await runRefused('key', 'update', 'key_unknown', '--name', 'X')).code).toBe('not_found');
    expect((await runRefused('key', 'update', key.id)).details[0].message).toBe('required, or a description');
  });

  it('prints the usage of a key', async () => {
    const { key } = await newKey();
    const today = new Date().toISOString().slice(0, 10);
    expect(await runOk('key', 'usage', key.id)).toEqual({ key_id: key.id, days: [], total: 0, last_used_at: null });
    await withDb(async (db) => {
      await db.rows(sql`INSERT INTO api_key_usage (api_key_id, day, points) VALUES
        (${key.id}, (now() AT TIME ZONE 'UTC')::date - 1, 30), (${key.id}, (now() AT TIME ZONE 'UTC')::date - 7, 4)`);
      const usage = createKeyUsage(db, () => {});
      usage.charge(key.id, 5);
      await usage.close();
    });
    const { days, total, last_used_at } = await runOk('key', 'usage', key.id, '--days', '7');
    expect(days.map(({ points }: { points: number }) => points)).toEqual([5, 30]);
    expect([days[0].day >= today, total]).toEqual([true, 35]);
    expect(last_used_at).toMatch(/Z$/);
    expect((await runOk('key', 'usage', key.id)).total).toBe(39);
    expect((await text('key', 'usage', key.id, '--days', '1')).out).toMatch(
      /^DAY +POINTS +USAGE\n\S+ +5 +█{40}\n\nkey_id: /,
    );
    expect((await runRefused('key', 'usage', 'key_unknown')).code).toBe('not_found');
  });

  it('limits active keys to MAX_ACTIVE_KEYS, except for rotated ones', async () => {
    const { organization, key } = await newKey();
    const create = ['key', 'create', '--organization', organization.id, '--name', 'B', '--scopes', 'all'];
    const limited = (...args: string[]) => runCli({ ...environment, MAX_ACTIVE_KEYS: '1' }, ...args, '--json');
    const { code, err } = await limited(...create, '--expires', 'never');
    expect([code, JSON.parse(err).error]).toEqual([
      1,
      { code: 'invalid_request', message: 'An organization has at most 1 active key; revoke one first' },
    ]);
    expect((await limited('key', 'rotate', key.id)).code).toBe(0);
    expect((await cms(...create, '--expires', 'never')).code).toBe(0);
  });
});
