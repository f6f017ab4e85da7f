import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { newKey, runOk, runRefused, text, withDb } from './commands.ts';

describe('cms audit', () => {
  it('lists entries newest first, in pages', async () => {
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
        ...byOperator,
        channel: 'rest',
        operation: 'createMember',
        record_id: null,
        result: 'member_exists',
        key_id: key.id,
        actor: null,
        request_id: 'request-1',
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
    expect(out).toMatch(/^ID +AT +OPERATION +RESULT +RECORD +BY +CHANNEL +ADDRESS +RELATED +REQUEST\n/);
    expect((await text('audit', '--organization', organization.id, '--before', '1')).out).toBe(
      'There are no entries.\n',
    );
    const withoutOrganization = await runOk('audit', '--no-organization', '--record', key.id);
    expect(withoutOrganization).toEqual([]);
    expect((await runRefused('audit', '--organization', 'org_unknown')).code).toBe('not_found');
  });
});
