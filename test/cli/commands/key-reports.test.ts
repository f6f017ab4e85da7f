import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createFailedRequests, type RefusedRequest } from '../../../src/auth/failed-requests.ts';
import { createKeyUsage } from '../../../src/auth/key-usage.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneStore } from '../../support/service.ts';
import { cms, text } from './commands.ts';

const PAGE = new URL('../../../docs/keys.md', import.meta.url);

onOneStore((service) => {
  /** A key whose scopes have been counted for half a year, and its usage. */
  const oldKey = async () => {
    const { keyId } = await service.organization({ scopes: ['members.view', 'tags.view'] });
    await service.store.db.rows(sql`
      UPDATE api_key SET scopes_counted_since = now() - interval '180 days' WHERE id = ${keyId}`);
    const usage = createKeyUsage(service.store.db, () => {});
    const use = { operation: 'listMembers', scope: 'members.view' } as const;
    for (let request = 0; request < 1_204; request++) usage.countRequest(keyId, new Set([use]), false);
    await usage.close();
    return keyId;
  };

  const recordFailures = async (keyId: string) => {
    const requests = createFailedRequests(service.store.db, () => {});
    const failure = { api: 'rest', status: 400, operation: 'createMember', field: 'email_address', cost: 1 };
    const failures: RefusedRequest[] = [
      { ...failure, code: 'invalid_request', requestId: 'f02a4cf2-77d1-4a53-8c2e-0e6f6d3b9a10' },
      {
        api: 'graphql',
        status: 200,
        operation: 'events',
        field: 'events.view',
        cost: 1,
        code: 'missing_scope',
        requestId: '8f2c1a90-5b1e-4f0e-9d3c-2b7a6f4e1c55',
      },
    ];
    for (const one of failures) requests.record(keyId, one);
    await requests.close();
  };

  /** Replaces times and the ids of keys. */
  const comparable = (output: string) =>
    output.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/key_01j…|key_\w+/g, 'KEY');

  it('prints the output shown in docs/keys.md for each command', async () => {
    const keyId = await oldKey();
    await recordFailures(keyId);
    const page = await readFile(PAGE, 'utf8');
    const commands = [...page.matchAll(/^\.\/cms (.*)$/gm)].map(([, command = '']) => command);
    expect(commands.map((command) => command.split(' ')[1])).toEqual(['requests', 'requests', 'advise', 'rotate']);
    const outputs: string[] = [];
    for (const command of commands) {
      const { code, out, err } = await text(...command.replace('KEY_ID', keyId).split(' '));
      expect([code, err]).toEqual([0, '']);
      outputs.push(comparable(out));
    }
    const [requests, missingScope, advice, rotation] = outputs;
    const [shownRequests, shownAdvice] = [...page.matchAll(/^```text\n(.*?)^```$/gms)].map(([, shown = '']) => shown);
    expect(requests).toBe(comparable(shownRequests as string));
    expect(missingScope).not.toContain('invalid_request');
    expect(advice).toBe(comparable(shownAdvice as string));
    expect(rotation).toMatch(/^scopes: members\.view$/m);
  });

  it('key requests and key advise print JSON', async () => {
    const keyId = await oldKey();
    await recordFailures(keyId);
    const { json: requests } = await cms('key', 'requests', keyId, '--limit', '1');
    expect(requests).toEqual([
      expect.objectContaining({ code: 'missing_scope', field: 'events.view', operation: 'events' }),
    ]);
    const { json: advice } = await cms('key', 'advise', keyId);
    expect(advice).toMatchObject({ key_id: keyId, unused_scopes: ['tags.view'] });
    const refused = await cms('key', 'requests', keyId, '--limit', '201');
    expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([2, 'invalid_request']);
    expect((await cms('key', 'advise', 'key_unknown')).code).toBe(1);
  });

  it('key requests names the valid codes if a code is unknown', async () => {
    const keyId = await oldKey();
    const { code, out, err } = await text('key', 'requests', keyId, '--code', 'missing-scope');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^error: --code: must be one of invalid_request, .*missing_scope, /);
  });

  it('key rotate creates a key with fewer scopes, never with more', async () => {
    const keyId = await oldKey();
    const rotate = (...args: string[]) => cms('key', 'rotate', keyId, ...args);
    const refused = await rotate('--scopes', 'tags.view,events.view');
    expect(JSON.parse(refused.err).error.message).toContain('does not have events.view');
    expect((await rotate('--narrow', '--scopes', 'tags.view')).code).toBe(2);
    expect((await rotate('--scopes', 'tags.view')).json).toMatchObject({
      scopes: ['tags.view'],
      replaces: { id: keyId, state: 'active' },
    });
  });
});
