import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createDeveloper } from '../../src/developer/developer.ts';
import { listApiKeys } from '../../src/domain/admin/api-key.ts';
import { createErrorLog } from '../../src/http/response/error-log.ts';
import { createSite } from '../../src/pages/site.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limiter.ts';
import { type AdminPages, openAdminPagesWithKey } from '../support/developer/developer-pages.ts';
import { formIn, onDeveloperApp, type PageForm, type Visitor, visitor } from '../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  const openPages = () => openAdminPagesWithKey(service, app);
  const keysOf = ({ organization }: AdminPages) => listApiKeys(service.store, organization);

  /** Every route for an organization and one of its keys. */
  const routes = (organization: string, key: string) => {
    const site = createSite({ docs: false, graphiql: false, developer: true, trustProxy: 1 });
    const rateLimiter = createMemoryRateLimiter(1);
    const { store } = service;
    const log = pino({ level: 'silent' });
    const own = createDeveloper({
      site,
      store,
      rateLimiter,
      operatorPassword: undefined,
      webhooks: { allowsPrivate: false, sendTest: async () => {} },
      logError: createErrorLog(log, () => {}),
    });
    const found = own.routes.filter(
      ({ method, path }) => ['GET', 'POST'].includes(method) && !path.startsWith('/assets') && !path.includes('*'),
    );
    return found.map(({ method, path }) => ({
      method,
      path: `/developer${path === '/' ? '' : path.replace(':organization', organization).replace(':key', key).replace(':webhook', 'whk_unknown').replace(':administrator', 'adm_unknown')}`,
    }));
  };
  const PUBLIC_PATHS = ['/developer/sign-in', '/developer/set-password'];
  const protectedRoutes = (organization: string, key: string) =>
    routes(organization, key).filter(({ path }) => !PUBLIC_PATHS.includes(path));

  const ask = (own: Visitor, { method, path }: { method: string; path: string }, fields: PageForm['fields'] = []) =>
    method === 'GET' ? own.get(path) : own.send({ action: path, fields });

  describe('a request without a session', () => {
    it('is redirected to the sign-in page from every path, existing or not', async () => {
      const admin = await openPages();
      const before = await keysOf(admin);
      const places = [
        ...protectedRoutes(admin.organization, admin.key.id),
        ...protectedRoutes('org_unknown', 'key_unknown'),
      ];
      expect(places).toHaveLength(76);
      for (const place of places) {
        const { status, headers, text } = await ask(visitor(app), place);
        const hasReturn = place.method === 'GET' && place.path !== '/developer';
        const query = hasReturn ? `?return_to=${encodeURIComponent(place.path)}` : '';
        expect([place, status, headers.get('location'), text]).toEqual([place, 303, `/developer/sign-in${query}`, '']);
      }
      expect(await keysOf(admin)).toEqual(before);
    });
  });

  describe('the pages of another organization', () => {
    it('are not found, and change nothing', async () => {
      const [mine, theirs] = [await openPages(), await openPages()];
      const before = await keysOf(theirs);
      const { fields } = formIn(await mine.own.get('/developer/account'), '/sign-out');
      const answers = async (organization: string, key: string) => {
        const all = [];
        for (const route of protectedRoutes(organization, key).filter(({ path }) => path.includes('/organizations/'))) {
          const { status, headers, text } = await ask(mine.own, route, fields);
          headers.delete('x-request-id');
          all.push({ ...route, path: '', status, headers: [...headers], text });
        }
        return all;
      };
      const foreign = await answers(theirs.organization, theirs.key.id);
      expect(foreign.map(({ status }) => status)).toEqual(Array(31).fill(404));
      expect(await answers('org_01j00000000000000000000009', 'key_01j00000000000000000000009')).toEqual(foreign);
      expect(await answers('x', 'y')).toEqual(foreign);
      expect(await keysOf(theirs)).toEqual(before);
    });

    it("do not show its keys under the administrator's own organization", async () => {
      const [mine, theirs] = [await openPages(), await openPages()];
      const { fields } = formIn(await mine.own.get('/developer/account'), '/sign-out');
      for (const route of protectedRoutes(mine.organization, theirs.key.id).filter(({ path }) =>
        path.includes('key_'),
      )) {
        expect((await ask(mine.own, route, fields)).status).toBe(404);
      }
      const [key] = await keysOf(theirs);
      expect(key).toMatchObject({ state: 'active', replaced_by: null });
    });
  });
});
