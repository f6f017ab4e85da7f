import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ShownChange } from '../support/changes.ts';
import { type Received, type Receiver, type Respond, startReceiver, verify } from '../support/receiver.ts';
import { hasServers, until } from '../support/servers/own-servers.ts';
import { eventually } from '../support/time/eventually.ts';
import { ask, cms, ROOT, temporaryDirectory } from './support/instance.ts';
import { ownService } from './support/own-service.ts';
import { startWriters } from './support/writers.ts';

const WRITERS = 20;

/** Longer than an instance waits for a response. */
const LATE_MS = 11_000;

describe.skipIf(!hasServers)('a webhook of two instances', () => {
  const settings = { WEBHOOK_PRIVATE_NETWORKS: 'on' };
  const service = ownService(2, settings);

  const command = (...words: string[]) => cms({ DATABASE_URL: service.postgresql.url, ...settings }, ...words);
  const createWebhook = (url: string) =>
    command(
      'webhook',
      'create',
      '--organization',
      service.id,
      '--url',
      url,
      '--scopes',
      'members.view',
      '--resources',
      'members',
    );

  /** Attempts failed deliveries again at once. @returns a function that stops it. */
  async function withoutPauses(): Promise<void> {
    const client = new pg.Client({ connectionString: service.postgresql.url });
    await client.connect();
    let isStopped = false;
    const repeat = async () => {
      while (!isStopped) {
        await client.query('UPDATE webhook SET next_attempt_at = now() WHERE next_attempt_at > now()');
        await sleep(50);
      }
    };
    const ended = repeat();
    onTestFinished(async () => {
      isStopped = true;
      await ended;
      await client.end();
    });
  }

  /** Resolves when further attempts to connect to the receiver of a webhook were refused. */
  async function untilRefused(id: string, attempts: number): Promise<void> {
    const client = new pg.Client({ connectionString: service.postgresql.url });
    await client.connect();
    const refused = async (): Promise<number> => {
      const { rows } = await client.query(
        `SELECT count(*)::int AS count FROM webhook_delivery WHERE webhook_id = $1 AND error LIKE '%ECONNREFUSED%'`,
        [id],
      );
      return rows[0].count;
    };
    try {
      const enough = (await refused()) + attempts;
      await until(async () => (await refused()) >= enough);
    } finally {
      await client.end();
    }
  }

  async function importMembers(): Promise<void> {
    const file = join(temporaryDirectory(), 'members.ndjson');
    const row = (n: number) => ({
      external_id: `i${n}`,
      first_name: 'A',
      last_name: 'B',
      email_address: `i${n}@example.org`,
    });
    writeFileSync(file, Array.from({ length: 1_000 }, (_, n) => JSON.stringify(row(n))).join('\n'));
    const options = { env: { ...process.env, DATABASE_URL: service.postgresql.url } };
    await promisify(execFile)(join(ROOT, 'cms'), ['import', '--organization', service.id, file], options);
  }

  async function feed(): Promise<ShownChange[]> {
    const changes: ShownChange[] = [];
    for (let [cursor, hasMore] = ['', true]; hasMore; ) {
      const path = `/v1/changes?limit=100&resources=members${cursor}`;
      const { json } = await ask(service.instances.addresses[0] as string, service.key, path);
      changes.push(...json.data);
      hasMore = json.pagination.has_more;
      cursor = `&cursor=${json.pagination.next_cursor}`;
    }
    return changes;
  }

  it('has every change in order in the end, whatever the receiver and the instances do', async () => {
    const log: Received[] = [];
    let hasHung = false;
    let requests = 0;
    const respond: Respond = (received, response) => {
      requests += 1;
      const fate = hasHung ? Math.random() : 0.5;
      if (fate < 0.1) return 500;
      if (fate < 0.15) {
        response.destroy();
        return undefined;
      }
      log.push(received);
      // The changes are stored, but the response is lost or late.
      if (fate < 0.25) {
        response.destroy();
        return undefined;
      }
      if (!hasHung && requests > 5) {
        hasHung = true;
        setTimeout(() => response.writeHead(204).end(), LATE_MS);
        return undefined;
      }
      setTimeout(() => response.writeHead(204).end(), Math.random() * 30);
      return undefined;
    };
    let receiver: Receiver = await startReceiver(respond);
    const { id: webhookId, secret } = createWebhook(receiver.url);
    await withoutPauses();
    const writers = service.instances.addresses.map((address) => startWriters(address, service.key, WRITERS / 2));
    const imported = importMembers();
    for (const index of [0, 1]) {
      await writers[index]?.more(100, 60_000);
      await service.instances.endOne(index, 'SIGKILL');
      await writers[1 - index]?.more(50, 60_000);
      await service.instances.startAgain(index);
      // The receiver restarts: it refuses connections while the writers and the import go on.
      await receiver.close();
      await untilRefused(webhookId, 3);
      await writers[index]?.more(50, 60_000);
      const id = writers[index]?.acknowledged[index];
      const body = JSON.stringify({ city: 'Lagos' });
      await ask(service.instances.addresses[index] as string, service.key, `/v1/members/${id}`, {
        method: 'PATCH',
        body,
      });
      receiver = await startReceiver(respond, Number(new URL(receiver.url).port));
    }
    for (const { stop } of writers) await stop();
    await imported;
    const expected = await feed();
    expect(expected.length).toBeGreaterThan(1_300);
    await eventually(() => {
      // Each record is in the feed with its latest change; earlier ones may have been delivered too.
      const latest = new Map(log.flatMap(({ changes }) => changes).map((change) => [change.id, change]));
      expect([...latest.values()].length).toBe(expected.length);
      const inOrder = log
        .flatMap(({ changes }) => changes)
        .reverse()
        .filter(({ id }, index, all) => all.findIndex((other) => other.id === id) === index)
        .reverse();
      expect(inOrder).toEqual(expected);
    });
    const byId = new Map<string, Received>();
    for (const received of log) {
      expect(verify(received, secret)).toBeDefined();
      const id = String(received.headers['webhook-id']);
      const first = byId.get(id);
      if (first) for (const change of received.changes) expect(first.changes).toContainEqual(change);
      else byId.set(id, received);
    }
    expect(byId.size).toBeLessThan(log.length);
    const places = expected.map(({ id }) => id);
    expect(new Set(places).size).toBe(places.length);
  }, 300_000);

  it('goes on within 15 seconds after the instance was killed that delivered', async () => {
    const arrivals: number[] = [];
    const receiver = await startReceiver(() => {
      arrivals.push(performance.now());
      return arrivals.length === 1 ? undefined : 204;
    });
    createWebhook(receiver.url);
    const [address] = service.instances.addresses as [string];
    const body = JSON.stringify({ first_name: 'A', last_name: 'B', email_address: 'killed@example.org' });
    await ask(address, service.key, '/v1/members', { method: 'POST', body });
    await eventually(() => expect(receiver.open).toBe(1));
    // Which of both delivers is unknown: both are killed, and one of them is started again at once.
    const killedAt = performance.now();
    await Promise.all([0, 1].map((index) => service.instances.endOne(index, 'SIGKILL')));
    await service.instances.startAgain(0);
    await eventually(() => expect(receiver.accepted).toHaveLength(1));
    expect((arrivals[1] as number) - killedAt).toBeLessThan(15_000);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await service.instances.startAgain(1);
  }, 120_000);
});
