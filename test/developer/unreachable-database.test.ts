import { expect, it } from 'vitest';
import { appOn, intercepted } from '../support/apps.ts';
import { openAdminPages } from '../support/developer/developer-pages.ts';
import { developerApp, OPERATOR_PASSWORD, visitor } from '../support/developer/visitor.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  it('is named by the developer pages, with the time since which it cannot be reached', async () => {
    const { own, place } = await openAdminPages(service, developerApp(service));
    const prisma = intercepted(service.store.prisma, () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    });
    const unavailableSince = () => new Date('2026-11-27T10:15:30Z');
    const there = visitor(
      appOn(service, { prisma, developer: { operatorPassword: OPERATOR_PASSWORD, unavailableSince } }),
    );
    there.cookie = own.cookie;
    const { status, headers, text } = await there.get(place);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(text).toContain('<h1>The database cannot be reached</h1>');
    expect(text).toContain('27 Nov 2026, 10:15 UTC');
  });
});
