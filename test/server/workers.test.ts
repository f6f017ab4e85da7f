import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { revokeApiKey } from '../../src/domain/admin/api-key.ts';
import { times } from '../support/data.ts';
import { type RunningService, startService } from '../support/processes/running.ts';
import { freePort } from '../support/servers/own-servers.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';
import { eventually } from '../support/time/eventually.ts';

const WORKERS = 2;
const LIMIT = 50;
const REPLACED = 'a worker ended and is replaced';

function workersOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

describe.skipIf(!inject('databaseUrl'))('several workers', () => {
  onOneStore((service) => {
    let running: RunningService;
    let metricsPort: string;
    let organization: TestOrganization;
    beforeAll(async () => {
      metricsPort = String(await freePort());
      running = await startService({
        DATABASE_URL: inject('databaseUrl') as string,
        WORKERS: String(WORKERS),
        RATE_LIMIT_PER_MINUTE: String(LIMIT),
        LOG_LEVEL: 'info',
        METRICS_PORT: metricsPort,
      });
      // Metrics are available as soon as all workers have started.
      await eventually(async () => expect((await metrics()).status).toBe(200));
    });
    afterAll(() => running.stop());

    const metrics = () => fetch(`http://127.0.0.1:${metricsPort}/`);

    /** Sends a request on a new connection, which the next worker accepts. */
    const ask = (path: string, { key } = organization) =>
      fetch(`${running.address}${path}`, { headers: { 'X-Api-Key': key, Connection: 'close' } });

    const linesOf = (text: string) =>
      running
        .output()
        .split('\n')
        .filter((line) => line.includes(text));

    it('print the banner once', () => {
      expect(linesOf('Start at')).toHaveLength(1);
    });

    it('share one exact rate limit', async () => {
      organization = await service.organization();
      const clients = times(10, async () => {
        const answers: Response[] = [];
        for (const _ of times((3 * LIMIT) / 10, String)) answers.push(await ask('/v1/tags?limit=1'));
        return answers;
      });
      const answers = (await Promise.all(clients)).flat();
      // On a busy machine, the store can also refuse admitted requests. Those whose key could not be checked are
      // not charged, and report the whole rate limit of the address as remaining.
      const left = answers.flatMap(({ status, headers }) => {
        const remaining = Number(headers.get('x-ratelimit-remaining') ?? LIMIT);
        return status === 429 || remaining === LIMIT ? [] : [remaining];
      });
      expect(left.sort((one, other) => one - other)).toEqual(times(LIMIT, (n) => n));
    });

    it('all reject a revoked key', async () => {
      organization = await service.organization();
      expect((await ask('/v1/tags')).status).toBe(200);
      await revokeApiKey(service.store, organization.keyId, 'test');
      const answers = await Promise.all(times(2 * WORKERS, () => ask('/v1/tags')));
      expect(answers.map(({ status }) => status)).toEqual(times(2 * WORKERS, () => 401));
    });

    it('keep serving requests when one is killed while it waits for a response of the primary process', async () => {
      organization = await service.organization();
      // Enough for each worker to accept some of the connections.
      const agents = times(10, () => new Agent({ keepAlive: true, maxSockets: 1 }));
      const send = (agent: Agent) =>
        new Promise<number | undefined>((resolve, reject) => {
          const options = { agent, headers: { 'X-Api-Key': organization.key } };
          get(`${running.address}/v1/tags?limit=1`, options, (answer) => {
            answer.resume().on('end', () => resolve(answer.statusCode));
          }).on('error', reject);
        });
      expect(await Promise.all(agents.map(send))).toEqual(agents.map(() => 200));
      // The primary process reads the request of a worker that has ended, and cannot send the response.
      process.kill(running.pid, 'SIGSTOP');
      const waiting = Promise.allSettled(agents.map(send));
      await sleep(500);
      process.kill(workersOf(running.pid)[0] as number, 'SIGKILL');
      await sleep(100);
      process.kill(running.pid, 'SIGCONT');
      const outcomes = (await waiting).map((outcome) => ('value' in outcome ? outcome.value : 'closed'));
      expect(new Set(outcomes)).toEqual(new Set([200, 'closed']));
      expect((await ask('/v1/tags')).status).toBe(200);
      for (const agent of agents) agent.destroy();
      await eventually(() => expect(workersOf(running.pid)).toHaveLength(WORKERS));
    });

    it('keep serving requests when one is killed and replaced', async () => {
      organization = await service.organization();
      const replaced = linesOf(REPLACED).length;
      // The newest: it may not serve yet.
      const victim = workersOf(running.pid).at(-1);
      process.kill(victim as number, 'SIGKILL');
      await eventually(() => expect(linesOf(REPLACED)).toHaveLength(replaced + 1));
      expect((await ask('/v1/tags')).status).toBe(200);
      await eventually(() => expect(workersOf(running.pid)).toHaveLength(WORKERS));
      expect(workersOf(running.pid)).not.toContain(victim);
    });

    it('aggregate their metrics, and continue to serve while one cannot report', async () => {
      await eventually(async () => expect((await metrics()).status).toBe(200));
      expect(await (await metrics()).text()).toContain('cms_store_connections{state="open"}');
      const [silent] = workersOf(running.pid) as [number];
      process.kill(silent, 'SIGSTOP');
      const without = await metrics().finally(() => process.kill(silent, 'SIGCONT'));
      expect(without.status).toBe(503);
      expect((await metrics()).status).toBe(200);
    });

    it('exit with 0 on a signal', async () => {
      expect(await running.stop()).toBe(0);
    });
  });

  it('exit on a signal even if one hangs', async () => {
    const running = await startService({
      DATABASE_URL: inject('databaseUrl') as string,
      WORKERS: String(WORKERS),
      LOG_LEVEL: 'error',
    });
    await eventually(() => expect(workersOf(running.pid)).toHaveLength(WORKERS));
    const [hanging] = workersOf(running.pid) as [number];
    process.kill(hanging, 'SIGSTOP');
    try {
      expect(await running.stop()).toBe(1);
      expect(running.output()).toContain('a worker hangs and is killed');
    } finally {
      if (existsSync(`/proc/${hanging}`)) process.kill(hanging, 'SIGKILL');
    }
  });

  it('exit if the metrics port is in use, naming the setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const METRICS_PORT = String((other.address() as AddressInfo).port);
    try {
      await expect(
        startService({ DATABASE_URL: inject('databaseUrl') as string, WORKERS: '2', METRICS_PORT }),
      ).rejects.toThrow(/EADDRINUSE[\s\S]*or set another METRICS_PORT/);
    } finally {
      other.close();
    }
  });

  it('exit if the store rejects them, with the reason', async () => {
    const url = new URL(inject('databaseUrl') as string);
    url.pathname = '/no_such_database';
    await expect(startService({ DATABASE_URL: url.href, WORKERS: '2' })).rejects.toThrow(
      /ended with 1:[\s\S]*"no_such_database" does not exist/,
    );
  });
});
