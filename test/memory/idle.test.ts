import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { times } from '../support/data.ts';
import { startService } from '../support/processes/running.ts';
import { freePort } from '../support/servers/own-servers.ts';

/** The Node.js flags of `npm start`. */
const FLAGS = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));
const MAX_YOUNG_GENERATION_MB = 4;
const BATCH = 200;
const REQUESTS = 20_000;
/** Rarely, because responses with metrics allocate memory too. */
const POLLED = { interval: 2_000, timeout: 60_000 };

describe.skipIf(!inject('databaseUrl'))('an idle service', () => {
  let running: Awaited<ReturnType<typeof startService>>;
  let metricsPort: number;

  beforeAll(async () => {
    metricsPort = await freePort();
    const environment = { DATABASE_URL: inject('databaseUrl') as string, METRICS_PORT: String(metricsPort) };
    running = await startService(environment, FLAGS);
  });
  afterAll(() => running.stop());

  const youngGeneration = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const [, bytes] = /^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)$/m.exec(metrics) ?? [];
    return Number(bytes) / 1_000_000;
  };
  const expectReleased = () =>
    vi.waitFor(async () => expect(await youngGeneration()).toBeLessThanOrEqual(MAX_YOUNG_GENERATION_MB), POLLED);

  it('releases the memory of the young generation that its start used', async () => {
    expect(await youngGeneration()).toBeGreaterThan(MAX_YOUNG_GENERATION_MB);
    await expectReleased();
  });

  it('releases the memory of the young generation that many requests used', async () => {
    for (let sent = 0; sent < REQUESTS && (await youngGeneration()) <= MAX_YOUNG_GENERATION_MB; sent += BATCH) {
      await Promise.all(times(BATCH, async () => (await fetch(`${running.address}/docs`)).text()));
    }
    expect(await youngGeneration()).toBeGreaterThan(MAX_YOUNG_GENERATION_MB);
    await expectReleased();
  });
});
