import { expect, it } from 'vitest';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  const pages = () =>
    service.appWith({
      docs: { demoKey: undefined },
      graphiql: { demoKey: undefined },
      developer: { operatorPassword: '' },
    });
  const send = async (path: string, init: RequestInit = {}, app = pages()) => {
    const response = await app.fetch(new Request(`http://service.test${path}`, init));
    return { status: response.status, location: response.headers.get('location'), text: await response.text() };
  };

  it.each([
    ['/docs/', '/docs'],
    ['/docs/graphql/', '/docs/graphql'],
    ['/docs/search/?q=tag', '/docs/search?q=tag'],
    ['/docs//', '/docs'],
    ['/developer/', '/developer'],
    ['/developer/sign-in/?ended', '/developer/sign-in?ended'],
    ['/developer/organizations/org_x/', '/developer/organizations/org_x'],
    ['/docs//evil.example/', '/docs//evil.example'],
  ])('redirects the address of a page with a slash at its end to the one without: %s', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      expect(await send(path, { method })).toEqual({ status: 308, location, text: '' });
    }
  });

  it.each(['/docs/', '/developer/'])('does not redirect %s if it is disabled', async (path) => {
    expect((await send(path, {}, service.app)).status).toBe(401);
  });

  it.each([
    ['/v1/members/', 'did you mean /v1/members, without the / at its end?'],
    ['/graphql/', 'are sent to /graphql'],
  ])('does not redirect the address %s of an API, and names the path without a slash', async (path, named) => {
    const { key } = await service.organization();
    const { status, text } = await send(path, { headers: { 'X-Api-Key': key } });
    const { error, errors } = JSON.parse(text);
    expect([status, (error ?? errors[0]).message]).toEqual([404, expect.stringContaining(named)]);
  });
});
