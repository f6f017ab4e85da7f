import { listAdministrators } from '../../domain/accounts/administrator.ts';
import { getApiKeyHistory, listApiKeys, revokeApiKey, updateApiKey } from '../../domain/admin/api-key.ts';
import { dailyUsageOfKeys } from '../../domain/admin/api-key-usage.ts';
import { listFailedRequests } from '../../domain/admin/failed-request.ts';
import { getKeyAdvice } from '../../domain/admin/scope-advice.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../domain/core/limits.ts';
import { type DeveloperContext, pathOf } from '../parts.ts';
import { keyPage } from '../view/keys/key.ts';
import { keysPage } from '../view/keys/keys.ts';
import { renamePage } from '../view/keys/rename.ts';
import { revokePage } from '../view/keys/revoke.ts';
import { createVisits, type Handler, readSessionForm } from '../visit.ts';

const CHART_DAYS = 14;

type Pages = Record<'list' | 'show' | 'askName' | 'rename' | 'askRevocation' | 'revoke', Handler>;

/** The pages of an organization's keys. */
export function createKeyPages(context: DeveloperContext): Pages {
  const { site, store } = context;
  const { inOrganization, inKey } = createVisits(context);

  return {
    list: inOrganization(async (visit) => {
      const [keys, usage] = await Promise.all([
        listApiKeys(store, visit.organization.id),
        dailyUsageOfKeys(store, visit.organization.id, CHART_DAYS),
      ]);
      const q = (visit.c.req.query('q') ?? '').slice(0, MAX_SHORT_TEXT_CHARACTERS).trim();
      return site.respond(visit.c, keysPage(visit, { keys, usage, q }));
    }),

    show: inKey(async (visit, key) => {
      const { id } = visit.organization;
      const [history, usage, administrators, advice, requests] = await Promise.all([
        getApiKeyHistory(store, key.id),
        dailyUsageOfKeys(store, id, CHART_DAYS),
        listAdministrators(store, id),
        getKeyAdvice(store, key.id),
        listFailedRequests(store, key.id),
      ]);
      const days = usage.find(({ key_id }) => key_id === key.id)?.days ?? [];
      const code = visit.c.req.query('code') || undefined;
      const shown = { key, history: history.reverse(), days, administrators, advice, requests, code };
      return site.respond(visit.c, keyPage(visit, shown));
    }),

    askName: inKey((visit, key) => site.respond(visit.c, renamePage(visit, key, key.name))),

    rename: inKey(async (visit, key) => {
      const name = (await readSessionForm(visit)).single('name');
      try {
        await updateApiKey(store, { id: key.id, name }, visit.by);
      } catch (error) {
        if (!(error instanceof ServiceError && error.details)) throw error;
        return site.respond(visit.c, renamePage(visit, key, name, `The name ${error.details[0]?.message}.`), 422);
      }
      return visit.c.redirect(`${pathOf(visit.organization.id, 'keys', key.id)}?renamed`, 303);
    }),

    askRevocation: inKey((visit, key) => site.respond(visit.c, revokePage(visit, key))),

    revoke: inKey(async (visit, key) => {
      await readSessionForm(visit);
      await revokeApiKey(store, key.id, visit.by);
      return visit.c.redirect(`${pathOf(visit.organization.id, 'keys', key.id)}?revoked`, 303);
    }),
  };
}
