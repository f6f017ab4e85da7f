import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { createHttpServer, listen } from '../../../src/server/http-server.ts';
import { onOneStore } from '../../support/service.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/rehearsal.md'), 'utf8');

onOneStore((service) => {
  it('docs/rehearsal.md shows the actual response', async () => {
    const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
    expect(example).toContain('Rehearse');
    const { id } = await service.organization();
    const input = { organization_id: id, name: 'Tests', scopes: ALL_SCOPES, expires_in_days: null, rehearsal: true };
    const { key } = await createApiKey(service.store, input, 'cli:test');
    const server = createHttpServer(service.app);
    await listen(server, 0, '127.0.0.1');
    try {
      const { port } = server.address() as AddressInfo;
      const env = { ...process.env, API_URL: `http://127.0.0.1:${port}`, REHEARSAL_KEY: key };
      await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', example], { env });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
