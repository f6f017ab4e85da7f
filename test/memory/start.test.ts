import { describe, expect, inject, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { startService } from '../support/processes/running.ts';
import { freePort } from '../support/servers/own-servers.ts';

/** The Node.js flags of `npm start`. */
const FLAGS = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));
const MAX_YOUNG_GENERATION_MB = 4;
/** Rarely, because responses with metrics allocate memory too. */
const POLLED = { interval: 2_000, timeout: 60_000 };

describe.skipIf(!inject('databaseUrl'))('an idle service', () => {
  it('releases the memory of the young generation that its start used', async () => {
    const metricsPort = await freePort();
    const environment = { DATABASE_URL: inject('databaseUrl') as string, METRICS_PORT: String(metricsPort) };
    const running = await startService(environment, FLAGS);
    const youngGeneration = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const [, bytes] = /^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)$/m.exec(metrics) ?? [];
      return Number(bytes) / 1_000_000;
    };
    try {
      expect(await youngGeneration()).toBeGreaterThan(MAX_YOUNG_GENERATION_MB);
      await vi.waitFor(
        async () => expect(await youngGeneration()).toBeLessThanOrEqual(MAX_YOUNG_GENERATION_MB),
        POLLED,
      );
    } finally {
      await running.stop();
    }
  });
});
