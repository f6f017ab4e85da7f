import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { times } from '../support/data.ts';
import { startService } from '../support/processes/running.ts';
import { temporaryStores } from '../support/stores/directories.ts';

const MAX_MB = 550;
const CONNECTIONS = 32;
const DEPARTMENTS = `{ departments(first: 20) { edges { node { id name members(first: 20) {
  edges { node { id firstName lastName tags { id name } } } } } } } }`;

describe.skipIf(process.platform !== 'linux')('the service on a new embedded database', () => {
  const { folder } = temporaryStores();

  it(`uses at most ${MAX_MB} MB, under load too`, async () => {
    const environment = { DATA_DIR: await folder(), RATE_LIMIT_PER_MINUTE: '1000000000' };
    const service = await startService(environment);
    const [demoKey = ''] = /cms_\w+/.exec(service.output()) ?? [];
    const send = async (path: string, body?: object) => {
      const response = await fetch(`${service.address}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'X-Api-Key': demoKey, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect(response.ok).toBe(true);
      await response.arrayBuffer();
    };
    /** Sends requests on all connections. */
    const repeat = async (count: number, request: (n: number) => Promise<void>) => {
      let sent = 0;
      await Promise.all(
        times(CONNECTIONS, async () => {
          while (sent < count) await request(sent++);
        }),
      );
    };
    await repeat(4_000, () => send('/v1/members?limit=25'));
    await repeat(800, () => send('/graphql', { query: DEPARTMENTS }));
    await repeat(3_000, (n) =>
      send('/v1/members', {
        first_name: 'Ada',
        last_name: 'Lovelace',
        gender: 'Female',
        email_address: `ada${n}@example.org`,
      }),
    );
    const [, peakKb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
    await service.stop();
    expect(Number(peakKb) / 1_024).toBeLessThanOrEqual(MAX_MB);
  });
});
