import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startService } from '../support/processes/running.ts';
import { until } from '../support/servers/own-servers.ts';
import { startInstance, temporaryDirectory } from './support/instance.ts';

it('a start works after an earlier one was killed before it had created the demo organization', async () => {
  const environment = { DATA_DIR: temporaryDirectory() };
  const killed = await startInstance(environment);
  await until(async () => existsSync(join(environment.DATA_DIR, 'socket/.s.PGSQL.5432')));
  await killed.end('SIGKILL');
  const next = await startService(environment);
  const [demoKey = ''] = /cms_\w+/.exec(next.output()) ?? [];
  const response = await fetch(`${next.address}/v1/members?limit=1`, { headers: { 'X-Api-Key': demoKey } });
  expect(response.status).toBe(200);
  await next.stop();
});
