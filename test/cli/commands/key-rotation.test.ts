import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { newKey, runOk, runRefused, text, withDb } from './commands.ts';

describe('cms key rotate', () => {
  it('creates an equal key, and the old one expires', async () => {
    const { key: old } = await newKey('90');
    const rotated = await runOk('key', 'rotate', old.id, '--overlap', '48');
    const { name, scopes, expires_at, organization_id } = old;
    expect(rotated).toMatchObject({
      name,
      scopes,
      expires_at,
      organization_id,
      state: 'active',
      last_used_at: null,
    });
    expect(rotated.key).not.toBe(old.key);
    expect(rotated.replaces).toMatchObject({ id: old.id, state: 'active' });
    const remainingMs = Date.parse(rotated.replaces.expires_at) - Date.now();
    expect(remainingMs).toBeGreaterThan(47.9 * 3_600_000);
    expect(remainingMs).toBeLessThan(48.1 * 3_600_000);
    const by = expect.stringMatching(/^cli/);
    expect((await runOk('key', 'history', old.id)).slice(1)).toEqual([
      { event: 'rotated', at: rotated.created_at, by, key_id: rotated.id },
    ]);
    expect(await runOk('key', 'history', rotated.id)).toEqual([
      { event: 'created', at: rotated.created_at, by, key_id: old.id },
    ]);
    expect((await text('key', 'history', old.id)).out).toContain(`rotated, replaced by ${rotated.id}`);
    expect((await text('key', 'history', rotated.id)).out).toContain(`created, replacing ${old.id}`);
  });

  it('revokes with an overlap of 0, defaults to 24 hours, and never extends an expiry', async () => {
    const { key } = await newKey('never');
    const second = await text('key', 'rotate', key.id);
    const [secret] = second.out.match(/cms_\w+/) ?? [];
    expect(secret).toBeDefined();
    expect(second.out).toMatch(/which works until \d{4}-/);
    const id = /replaces (key_\w+)/.exec(second.out)?.[1] ?? '';
    expect(id).toBe(key.id);
    const next = /^id: (\S+)$/m.exec(second.out)?.[1] ?? '';
    const third = await runOk('key', 'rotate', next, '--overlap', '0');
    expect(third.replaces).toMatchObject({ id: next, state: 'revoked' });
    const history = await runOk('key', 'history', next);
    expect(history.map(({ event }: { event: string }) => event)).toEqual(['created', 'rotated', 'revoked']);
    await withDb((db) =>
      db.rows(sql`UPDATE api_key SET expires_at = now() + interval '1 hour' WHERE id = ${third.id}`),
    );
    const fourth = await runOk('key', 'rotate', third.id, '--overlap', '8760');
    expect(fourth.replaces.expires_at).toBe(fourth.expires_at);

    expect((await runRefused('key', 'rotate', key.id)).message).toContain(`rotate ${next}`);
    expect((await runRefused('key', 'rotate', next)).code).toBe('key_revoked');
    expect((await runRefused('key', 'rotate', 'key_unknown')).code).toBe('not_found');
    for (const overlap of ['-1', '1.5', 'x', '', '8761']) {
      expect((await runRefused('key', 'rotate', fourth.id, `--overlap=${overlap}`)).details[0].field).toBe('--overlap');
    }
  });
});
