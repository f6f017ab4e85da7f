import { expect, it } from 'vitest';
import { runCli } from '../support/processes/cli.ts';

const SERVERS = { DATABASE_URL: 'postgresql://127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' };

/** The settings that are refused; nothing is started. */
async function refused(environment: Record<string, string>, ...args: string[]): Promise<string[]> {
  const { code, err } = await runCli(environment, 'instances', ...args, '--json');
  expect(code).toBe(1);
  return JSON.parse(err).error.details.map(({ field }: { field: string }) => field);
}

it('instances need a server and a Redis that they can share', async () => {
  expect(await refused({})).toEqual(['DATABASE_URL', 'REDIS_URL']);
});

it('instances need a port each, and one more for the metrics of each', async () => {
  expect(await refused({ ...SERVERS, PORT: '65534' }, '--count', '3')).toEqual(['PORT']);
  expect(await refused({ ...SERVERS, PORT: '4000', METRICS_PORT: '4002' }, '--count', '3')).toEqual(['METRICS_PORT']);
});

it.each(['0', '100', 'two', '1.5'])('%s is no number of instances', async (count) => {
  const { code, err } = await runCli(SERVERS, 'instances', '--count', count);
  expect(code).toBe(2);
  expect(err).toContain('It must be a whole number from 1 to 99.');
});
