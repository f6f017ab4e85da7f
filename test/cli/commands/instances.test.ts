import { expect, it } from 'vitest';
import { runCli } from '../../support/processes/cli.ts';

const SERVERS = { DATABASE_URL: 'postgresql://127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' };

/** The error of invalid settings, without starting an instance. */
async function refusedSettings(environment: Record<string, string>, ...args: string[]): Promise<string[]> {
  const { code, err } = await runCli(environment, 'instances', ...args, '--json');
  expect(code).toBe(1);
  return JSON.parse(err).error.details.map(({ field }: { field: string }) => field);
}

it('instances require a shared server and Redis', async () => {
  expect(await refusedSettings({})).toEqual(['DATABASE_URL', 'REDIS_URL']);
});

it('instances require enough ports for requests and metrics', async () => {
  expect(await refusedSettings({ ...SERVERS, PORT: '65534' }, '--count', '3')).toEqual(['PORT']);
  for (const METRICS_PORT of ['4002', '0', '65534']) {
    const refused = await refusedSettings({ ...SERVERS, PORT: '4000', METRICS_PORT }, '--count', '3');
    expect(refused).toEqual(['METRICS_PORT']);
  }
});

it.each(['0', '100', 'two', '1.5'])('rejects %s as the number of instances', async (count) => {
  const { code, err } = await runCli(SERVERS, 'instances', '--count', count);
  expect(code).toBe(2);
  expect(err).toContain('It must be a whole number from 1 to 99.');
});
