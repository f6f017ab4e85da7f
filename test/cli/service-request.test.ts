import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { sendRequest } from '../../src/cli/service-request.ts';

it.each([
  ['never responds', false],
  ['never ends its response', true],
])('a service that %s is reported as unavailable', async (_, startsResponse) => {
  const server = createServer((_request, response) => {
    if (startsResponse) response.write('{');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent = sendRequest(new Request(`${url}/v1/members`), 50);
  await expect(sent).rejects.toMatchObject({
    code: 'unavailable',
    message: `the service at ${url} did not respond within 0.05 seconds`,
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
