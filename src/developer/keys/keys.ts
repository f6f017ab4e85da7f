import { revokeApiKey, updateApiKey } from '../../domain/admin/api-key.ts';
import { listKeysOfPage } from '../../domain/admin/api-key-list.ts';
import { recentUsage } from '../../domain/admin/api-key-usage.ts';
import { listFailedRequests } from '../../domain/admin/failed-request.ts';
import { getKeyAdvice } from '../../domain/admin/scope-advice.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../domain/values/limits.ts';
import type { DeveloperContext } from '../context.ts';
import { invalidFieldsOf } from '../form.ts';
import { pathOf } from '../paths.ts';
import { createVisits, type Routes, readSessionForm } from '../session/visit.ts';
import { editPage, revokePage } from '../view/keys/change.ts';
import { keyPage } from '../view/keys/key.ts';
import { INACTIVE, keysPage, keysPath, PAGE_SIZE } from '../view/keys/keys.ts';
import { periodOf, SMALL_CHART_DAYS } from '../view/keys/usage-chart.ts';
import { respondToKey } from './find.ts';

/** The pages of an organization's keys. */
export function createKeyPages(context: DeveloperContext): Routes {
  const { site, store, rateLimiter } = context;
  const { inOrganization, inKey } = createVisits(context);

  return {
    '/organizations/:organization': {
      GET: inOrganization(async (visit) => {
        const { list, before, q: text = '' } = visit.c.req.query();
        const q = text.slice(0, MAX_SHORT_TEXT_CHARACTERS).replaceAll('\0', '').trim();
        const selection = {
          isActive: list !== INACTIVE,
          before: before?.replaceAll('\0', ''),
          q,
        };
        const found = await listKeysOfPage(store, {
          organizationId: visit.organization.id,
          ...selection,
          limit: PAGE_SIZE + 1,
          usageDays: selection.isActive ? SMALL_CHART_DAYS : 0,
        });
        const shown = { ...selection, keys: found.slice(0, PAGE_SIZE), hasMore: found.length > PAGE_SIZE };
        return site.respond(visit.c, keysPage(visit, shown));
      }),
      POST: inOrganization(async (visit) => {
        const form = await readSessionForm(visit);
        const q = form.single('q');
        const path = keysPath(visit.organization.id, {
          isActive: form.all('list')[0] !== INACTIVE,
          q,
        });
        return (await respondToKey(context, visit, q)) ?? visit.c.redirect(path, 303);
      }),
    },
    '/organizations/:organization/keys/:key': {
      GET: inKey(async (visit, key) => {
        const period = periodOf(visit.c.req.query('usage'));
        const [usage, advice, requests] = await Promise.all([
          recentUsage(store, key, period.unit, period.count),
          getKeyAdvice(store, key),
          listFailedRequests(store, key),
        ]);
        const hasReference = site.navigation.some(({ path }) => path === '/docs');
        const shown = { key, period, usage, advice, requests, hasReference };
        return site.respond(visit.c, keyPage(visit, { ...shown, defaultLimit: rateLimiter.limit }));
      }),
    },
    '/organizations/:organization/keys/:key/edit': {
      GET: inKey((visit, key) =>
        site.respond(visit.c, editPage(visit, key, { name: key.name, description: key.description ?? '' })),
      ),
      POST: inKey(async (visit, key) => {
        const form = await readSessionForm(visit);
        const texts = { name: form.single('name'), description: form.single('description') };
        try {
          await updateApiKey(store, { organization_id: key.organization_id, id: key.id, ...texts }, visit.actor);
        } catch (error) {
          return site.respond(visit.c, editPage(visit, key, texts, invalidFieldsOf(error)), 422);
        }
        return visit.c.redirect(`${pathOf(visit.organization.id, 'keys', key.id)}?edited`, 303);
      }),
    },
    '/organizations/:organization/keys/:key/revoke': {
      GET: inKey((visit, key) => site.respond(visit.c, revokePage(visit, key))),
      POST: inKey(async (visit, key) => {
        await readSessionForm(visit);
        await revokeApiKey(store, key, visit.actor);
        return visit.c.redirect(`${pathOf(visit.organization.id, 'keys', key.id)}?revoked`, 303);
      }),
    },
  };
}
