import { describe, expect, inject, it } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore } from '../../src/store/store.ts';
import { runCli } from '../support/processes/cli.ts';

describe('the commands print the results of', () => {
  const databaseUrl = inject('databaseUrl');
  const environment: Record<string, string> = databaseUrl
    ? { DATABASE_URL: databaseUrl }
    : { DATA_DIR: inject('dataDirectory') };

  const cms = (...args: string[]) => runCli(environment, ...args, '--json');
  const text = (...args: string[]) => runCli(environment, ...args);
  const runOk = async (...args: string[]) => {
    const ran = await cms(...args);
    expect(ran).toMatchObject({ code: 0, err: '' });
    return ran.json;
  };
  const runRefused = async (...args: string[]) => {
    const { code, out, err } = await cms(...args);
    const { error } = JSON.parse(err);
    // Details name the options whose values are invalid.
    expect({ code, out }).toEqual({ code: error.details ? 2 : 1, out: '' });
    return error;
  };
  const newKey = async (expires = '90') => {
    const organization = await runOk('organization', 'create', '--name', 'Hillside', '--country', 'us');
    const create = ['key', 'create', '--organization', organization.id, '--name', 'Website'];
    const key = await runOk(...create, '--scopes', 'tags.view,forms.view', '--expires', expires);
    return { organization, key };
  };
  const withDb = async <Result>(work: (db: Awaited<ReturnType<typeof openStore>>['db']) => Promise<Result>) => {
    const store = await openStore({ databaseUrl, dataDirectory: inject('dataDirectory'), join: true });
    return work(store.db).finally(() => store.close());
  };

  it('organization create and list', async () => {
    const organization = await runOk('organization', 'create', '--name', 'Grace', '--country', 'ng');
    expect(organization).toEqual({
      ...{ id: expect.stringMatching(/^org_/), name: 'Grace', country: 'NG', time_zone: 'UTC' },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await runOk('organization', 'list')).toContainEqual(organization);
    expect((await text('organization', 'list')).out).toMatch(/^ID +COUNTRY +CREATED +NAME\n/);
    expect((await runRefused('organization', 'create', '--name', 'X', '--country', 'ZZ')).details[0].field).toBe(
      '--country',
    );
  });

  it('organization update', async () => {
    const { id } = await runOk('organization', 'create', '--name', 'Grace', '--country', 'NG');
    expect(await runOk('organization', 'update', id, '--time-zone', 'Africa/Lagos')).toMatchObject({
      ...{ id, time_zone: 'Africa/Lagos' },
    });
    const refused = await runRefused('organization', 'update', id, '--time-zone', 'Lagos');
    expect(refused.details[0].field).toBe('--time-zone');
  });

  it('operator link', async () => {
    const { link, expires_in_hours } = await runOk('operator', 'link', '--url', 'http://localhost:4444/');
    expect(expires_in_hours).toBe(24);
    expect(link).toMatch(/^http:\/\/localhost:4444\/developer\/set-password\?token=[\w-]{43}$/);
    expect((await text('operator', 'link')).out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.*\n$/);
    const { code } = await runCli(
      { ...environment, OPERATOR_PASSWORD: 'the password as a setting' },
      'operator',
      'link',
    );
    expect(code).toBe(1);
  });

  it.each(['zork', 'localhost:4000', 'ftp://a', 'http://x y', 'http:a'])(
    'operator link refuses the URL %s',
    async (url) => {
      expect((await runRefused('operator', 'link', '--url', url)).details[0].field).toBe('--url');
    },
  );

  it('key create, list, revoke and history', async () => {
    const { organization, key } = await newKey('never');
    expect(key).toMatchObject({ key: expect.stringMatching(/^cms_/), state: 'active', expires_at: null });
    const [listed] = await runOk('key', 'list', '--organization', organization.id);
    expect({ ...listed, key: key.key }).toEqual(key);
    expect((await runOk('key', 'revoke', key.id)).state).toBe('revoked');
    const history = await runOk('key', 'history', key.id);
    expect(history.map(({ event }: { event: string }) => event)).toEqual(['created', 'revoked']);
    expect((await runRefused('key', 'revoke', 'key_unknown')).code).toBe('not_found');
    expect((await runRefused('key', 'list', '--organization', 'org_unknown')).code).toBe('not_found');
  });

  it('key update changes the name', async () => {
    const { organization, key } = await newKey();
    const { key: _secret, ...created } = key;
    const updated = await runOk('key', 'update', key.id, '--name', 'Newsletter');
    expect(updated).toEqual({ ...created, name: 'Newsletter' });
    expect(await runOk('key', 'list', '--organization', organization.id)).toEqual([updated]);
    expect((await runRefused('key', 'update', key.id, '--name', ' ')).details[0].field).toBe('--name');
    expect((await runRefused('key', 'update', 'key_unknown', '--name', 'X')).code).toBe('not_found');
    expect((await runRefused('key', 'update', key.id)).details[0].message).toBe('required, or a description');
  });

  it('key update changes the description, and removes it if it is empty', async () => {
    const { key } = await newKey();
    const { key: _secret, ...created } = key;
    const described = await runOk('key', 'update', key.id, '--description', 'The parish newsletter');
    expect(described).toEqual({ ...created, description: 'The parish newsletter' });
    expect(await runOk('key', 'update', key.id, '--description', '')).toEqual(created);
  });

  it('key rotate creates an equal key, and the old one expires', async () => {
    const { key: old } = await newKey('90');
    const rotated = await runOk('key', 'rotate', old.id, '--overlap', '48');
    const { name, scopes, expires_at, organization_id } = old;
    expect(rotated).toMatchObject({
      ...{ name, scopes, expires_at, organization_id },
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

  it('key rotate revokes with an overlap of 0, defaults to 24 hours, and never extends an expiry', async () => {
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

  it('key rotate succeeds once in ten concurrent calls', async () => {
    const { key, organization } = await newKey();
    const { rotateApiKey } = await import('../../src/domain/admin/api-key-rotation.ts');
    const results = await withDb((db) =>
      Promise.allSettled(Array.from({ length: 10 }, () => rotateApiKey({ db }, key.id, { overlap_hours: 1 }, 'test'))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await runOk('key', 'list', '--organization', organization.id)).toHaveLength(2);
  });

  it('key usage', async () => {
    const { key } = await newKey();
    const today = new Date().toISOString().slice(0, 10);
    expect(await runOk('key', 'usage', key.id)).toEqual({ key_id: key.id, days: [], total: 0, last_used_at: null });
    await withDb(async (db) => {
      await db.rows(sql`INSERT INTO api_key_usage (api_key_id, day, units) VALUES
        (${key.id}, (now() AT TIME ZONE 'UTC')::date - 1, 30), (${key.id}, (now() AT TIME ZONE 'UTC')::date - 7, 4)`);
      const usage = createKeyUsage(db, () => {});
      usage.charge(key.id, 5);
      await usage.close();
    });
    const { days, total, last_used_at } = await runOk('key', 'usage', key.id, '--days', '7');
    expect(days.map(({ units }: { units: number }) => units)).toEqual([5, 30]);
    expect([days[0].day >= today, total]).toEqual([true, 35]);
    expect(last_used_at).toMatch(/Z$/);
    expect((await runOk('key', 'usage', key.id)).total).toBe(39);
    expect((await text('key', 'usage', key.id, '--days', '1')).out).toMatch(/^DAY +POINTS\n\S+ +5\n\nkey_id: /);
    expect((await runRefused('key', 'usage', 'key_unknown')).code).toBe('not_found');
    expect((await runRefused('key', 'usage', key.id, '--days', '0')).details[0].field).toBe('--days');
  });

  it('key create is limited to MAX_ACTIVE_KEYS active keys; key rotate is not', async () => {
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

  it('audit lists entries newest first, in pages', async () => {
    const { organization, key } = await newKey();
    const rotated = await runOk('key', 'rotate', key.id);
    await runOk('key', 'revoke', rotated.id);
    await withDb((db) =>
      db.rows(sql`INSERT INTO audit_entry (organization_id, api_key_id, channel, operation, record_id, result, request_id)
        VALUES (${organization.id}, ${key.id}, 'rest', 'createMember', NULL, 'member_exists', 'request-1')`),
    );
    const audit = (...args: string[]) => runOk('audit', '--organization', organization.id, ...args);
    const all = await audit();
    const actor = expect.stringMatching(/^cli/);
    const byOperator = {
      id: expect.any(Number),
      at: expect.any(String),
      channel: 'cli',
      result: 'ok',
      key_id: null,
      related_id: null,
      actor,
      request_id: null,
      client_address: null,
    };
    expect(all).toEqual([
      {
        ...{ ...byOperator, channel: 'rest', operation: 'createMember', record_id: null, result: 'member_exists' },
        ...{ key_id: key.id, actor: null, request_id: 'request-1' },
      },
      { ...byOperator, operation: 'revokeApiKey', record_id: rotated.id },
      { ...byOperator, operation: 'rotateApiKey', record_id: key.id, related_id: rotated.id },
      { ...byOperator, operation: 'createApiKey', record_id: key.id },
      { ...byOperator, operation: 'createOrganization', record_id: organization.id },
    ]);
    const page = await audit('--limit', '2');
    expect(page).toEqual(all.slice(0, 2));
    expect(await audit('--limit', '2', '--before', String(page[1].id))).toEqual(all.slice(2, 4));
    expect(await audit('--record', key.id)).toEqual(all.slice(2, 4));
    expect(await audit('--key', key.id)).toEqual(all.slice(0, 1));
    expect(await audit('--record', 'mem_unknown')).toEqual([]);
    const { out } = await text('audit', '--organization', organization.id);
    expect(out).toMatch(/^ID +AT +CHANNEL +OPERATION +RECORD +RESULT +BY +REQUEST +ADDRESS\n/);
    expect((await text('audit', '--organization', organization.id, '--before', '1')).out).toBe(
      'There are no entries.\n',
    );
    const withoutOrganization = await runOk('audit', '--no-organization', '--record', key.id);
    expect(withoutOrganization).toEqual([]);
    expect((await runRefused('audit', '--organization', 'org_unknown')).code).toBe('not_found');
    for (const option of ['--limit', '--before']) {
      const { details } = await runRefused('audit', '--organization', organization.id, `${option}=0`);
      expect(details[0].field).toBe(option);
    }
  });
});
