import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { COMPILE_ONCE } from '../support/processes/child.ts';
import { startService } from '../support/processes/running.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { eventually } from '../support/time/eventually.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const { folder } = temporaryStores();

it('works when the process of an earlier start was killed before it had created the demo organization', async () => {
  const dataDirectory = await folder();
  const { DATABASE_URL: _url, REDIS_URL: _redis, ...inherited } = process.env;
  const env = { ...inherited, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDirectory };
  const service = spawn('node', [...COMPILE_ONCE, MAIN], { env, stdio: 'ignore' });
  await eventually(() => expect(existsSync(join(dataDirectory, 'socket/.s.PGSQL.5432'))).toBe(true));
  const killed = once(service, 'exit');
  service.kill('SIGKILL');
  await killed;
  const next = await startService({ DATA_DIR: dataDirectory });
  const [demoKey = ''] = /cms_\w+/.exec(next.output()) ?? [];
  const response = await fetch(`${next.address}/v1/members?limit=1`, { headers: { 'X-Api-Key': demoKey } });
  expect(response.status).toBe(200);
  await next.stop();
});
