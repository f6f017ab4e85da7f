import { serverAudits } from 'graphql-http';
import { expect, it } from 'vitest';
import { onSocket } from '../../support/requests/socket.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

onOneStore((service) => {
  const socket = onSocket(() => service.app);
  let organization: Promise<TestOrganization> | undefined;

  /** Adds an API key to the requests of the audits. */
  async function fetchWithKey(url: string, init: RequestInit = {}): Promise<Response> {
    organization ??= service.organization();
    const headers = new Headers(init.headers);
    headers.set('X-Api-Key', (await organization).key);
    return fetch(url, { ...init, headers });
  }

  const audits = serverAudits({ url: () => `${socket.origin}/graphql`, fetchFn: fetchWithKey });

  it('runs all 61 audits of graphql-http', () => {
    expect(audits).toHaveLength(61);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('passes %s: %s', async (_id, _name, audit) => {
    const result = await audit.fn();
    expect({ status: result.status, ...('reason' in result ? { reason: result.reason } : {}) }).toEqual({
      status: 'ok',
    });
  });
});
