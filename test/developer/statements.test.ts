import { expect, it } from 'vitest';
import { appOn, intercepted } from '../support/apps.ts';
import { openAdminPagesWithKey } from '../support/developer/developer-pages.ts';
import { formIn, OPERATOR_PASSWORD, onDeveloperApp, visitor } from '../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  /** The pages of an organization with a key, and the queries that they send. */
  const countedPages = async () => {
    const queries: string[] = [];
    const prisma = intercepted(service.store.prisma, (query) => queries.push(query));
    const counted = appOn(service, { prisma, developer: { operatorPassword: OPERATOR_PASSWORD } });
    const { own, place, key } = await openAdminPagesWithKey(service, app);
    const there = visitor(counted);
    there.cookie = own.cookie;
    return { there, place, key, queries };
  };

  it('the keys of an organization take two statements, the page of a key five', async () => {
    const { there, place, key, queries } = await countedPages();
    expect((await there.get(place)).text).toContain(key.name);
    expect(queries.splice(0)).toHaveLength(2);
    expect((await there.get(`${place}/keys/${key.id}`)).text).toContain(key.name);
    expect(queries).toHaveLength(5);
  });

  it('creating a key takes five statements, with the session and the audit log', async () => {
    const { there, place, queries } = await countedPages();
    const form = formIn(await there.get(`${place}/new-key?preset=calendar`), '/new-key');
    queries.length = 0;
    expect((await there.send(form)).status).toBe(201);
    expect(queries).toHaveLength(5);
    expect(queries).toContain('AuditEntry.create');
  });
});
