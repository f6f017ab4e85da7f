import { listAdministrators } from '../../domain/accounts/administrator.ts';
import { getApiKeyHistory, listApiKeys, revokeApiKey, updateApiKey } from '../../domain/admin/api-key.ts';
import { dailyUsageOfKeys } from '../../domain/admin/api-key-usage.ts';
import { listFailedRequests } from '../../domain/admin/failed-request.ts';
import { getKeyAdvice } from '../../domain/admin/scope-advice.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../domain/core/limits.ts';
import type { DeveloperContext } from '../context.ts';
import { invalidFieldsOf } from '../form.ts';
import { pathOf } from '../paths.ts';
import { editPage, revokePage } from '../view/keys/change.ts';
import { keyPage } from '../view/keys/key.ts';
import { keysPage } from '../view/keys/keys.ts';
import { CHART_DAYS } from '../view/keys/usage-chart.ts';
import { createVisits, type Routes, readSessionForm } from '../visit.ts';
import { respondToKey } from './find.ts';

/** The pages of an organization's keys. */
export function createKeyPages(context: DeveloperContext): Routes {
  const { site, store, rateLimiter } = context;
  const { inOrganization, inKey } = createVisits(context);

  return {
    '/organizations/:organization': {
      GET: inOrganization(async (visit) => {
        const [keys, usage] = await Promise.all([
          listApiKeys(store, visit.organization.id),
          dailyUsageOfKeys(store, visit.organization.id, CHART_DAYS),
        ]);
        const q = (visit.c.req.query('q') ?? '').slice(0, MAX_SHORT_TEXT_CHARACTERS).trim();
        const page = Math.max(1, Number.parseInt(visit.c.req.query('page') ?? '', 10) || 1);
        return site.respond(visit.c, keysPage(visit, { keys, usage, q, page }));
      }),
      POST: inOrganization(async (visit) => {
        const q = (await readSessionForm(visit)).single('q');
        const path = `${pathOf(visit.organization.id)}?${new URLSearchParams({ q })}`;
        return (await respondToKey(context, visit, q)) ?? visit.c.redirect(path, 303);
      }),
    },
    '/organizations/:organization/keys/:key': {
      GET: inKey(async (visit, key) => {
        const { id } = visit.organization;
        const [history, usage, administrators, advice, requests] = await Promise.all([
          getApiKeyHistory(store, key),
          dailyUsageOfKeys(store, id, CHART_DAYS),
          listAdministrators(store, id),
          getKeyAdvice(store, key),
          listFailedRequests(store, key),
        ]);
        const days = usage.find(({ key_id }) => key_id === key.id)?.days ?? [];
        const hasReference = site.navigation.some(({ path }) => path === '/docs');
        const shown = { key, history: history.reverse(), days, administrators, advice, requests, hasReference };
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
