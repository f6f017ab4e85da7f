import { listAdministrators } from '../domain/admin/administrator.ts';
import {
  type ApiKey,
  createApiKey,
  getApiKey,
  getApiKeyHistory,
  KeyAlreadyCreatedError,
  listApiKeys,
  revokeApiKey,
} from '../domain/admin/api-key.ts';
import { DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError } from '../domain/admin/api-key-limit.ts';
import { rotateApiKey } from '../domain/admin/api-key-rotation.ts';
import { dailyUsageOfKeys } from '../domain/admin/api-key-usage.ts';
import { listFailedRequests } from '../domain/admin/failed-request.ts';
import { getKeyAdvice } from '../domain/admin/scope-advice.ts';
import { ServiceError } from '../domain/core/errors.ts';
import { newId } from '../domain/core/ids.ts';
import { requireSignature, sign } from './form.ts';
import { type DeveloperContext, pathOf } from './parts.ts';
import { keyPage } from './view/key.ts';
import { keyLimitPage } from './view/key-limit.ts';
import { keysPage } from './view/keys.ts';
import { keyAlreadyCreatedPage, type NewKeyInput, newKeyPage } from './view/new-key.ts';
import { revokePage } from './view/revoke.ts';
import { keyAlreadyRotatedPage, OVERLAP_HOURS, rotatePage } from './view/rotate.ts';
import { createdKeyPage } from './view/shown-once.ts';
import { createVisits, type Handler, type OrganizationVisit, readSessionForm } from './visit.ts';

const CHART_DAYS = 14;

type Pages = Record<
  'list' | 'askNew' | 'make' | 'show' | 'askRotation' | 'rotate' | 'askRevocation' | 'revoke',
  Handler
>;

/** The pages of an organization's keys. */
export function createKeyPages(context: DeveloperContext): Pages {
  const { site, store, maxActiveKeys: maxActive = DEFAULT_MAX_ACTIVE_KEYS } = context;
  const { inOrganization } = createVisits(context);

  /** Handlers for a key of the organization; keys never move to another one. */
  const inKey = (handler: (visit: OrganizationVisit, key: ApiKey) => Promise<Response>): Handler =>
    inOrganization(async (visit) => {
      const ids = { organization_id: visit.organization.id, id: visit.c.req.param('key') ?? '' };
      return handler(visit, await getApiKey(store, ids));
    });

  return {
    list: inOrganization(async (visit) => {
      const [keys, usage] = await Promise.all([
        listApiKeys(store, visit.organization.id),
        dailyUsageOfKeys(store, visit.organization.id, CHART_DAYS),
      ]);
      return site.respond(visit.c, keysPage(visit, keys, usage));
    }),

    askNew: inOrganization(async (visit) => {
      const input = { id: signedId(visit.token, newId('key')), name: '', scopes: [], expires: '90', rehearsal: false };
      return site.respond(visit.c, newKeyPage(visit, input));
    }),

    make: inOrganization(async (visit) => {
      const form = await readSessionForm(visit);
      const expires = form.all('expires');
      const formInput: NewKeyInput = {
        id: form.single('key'),
        name: form.single('name'),
        scopes: form.all('scope'),
        expires: expires.length === 1 ? (expires[0] ?? '') : '',
        rehearsal: form.all('rehearsal').length > 0,
      };
      const [id = '', signature = ''] = formInput.id.split('.');
      requireSignature(visit.token, keyIdContent(id), signature);
      const input = {
        organization_id: visit.organization.id,
        name: formInput.name,
        scopes: formInput.scopes,
        rehearsal: formInput.rehearsal,
        expires_in_days: formInput.expires === 'never' ? null : Number(formInput.expires || Number.NaN),
      };
      try {
        const { key, ...created } = await createApiKey(store, input, visit.by, { id, maxActive });
        return site.respond(visit.c, createdKeyPage(visit, { key, created, address: site.baseAddress(visit.c) }), 201);
      } catch (error) {
        if (error instanceof KeyAlreadyCreatedError) {
          return site.respond(visit.c, keyAlreadyCreatedPage(visit, await getApiKey(store, { ...input, id })), 409);
        }
        if (error instanceof KeyLimitReachedError)
          return site.respond(visit.c, keyLimitPage(visit, error.message), 409);
        if (!(error instanceof ServiceError && error.details)) throw error;
        return site.respond(visit.c, newKeyPage(visit, formInput, error.details), 422);
      }
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
      return site.respond(visit.c, keyPage(visit, { key, history, days, administrators, advice, requests, code }));
    }),

    askRotation: inKey(async (visit, key) => {
      const { unused_scopes } = await getKeyAdvice(store, key.id);
      const unused = visit.c.req.query('narrow') === undefined ? [] : (unused_scopes ?? []);
      const chosen = key.scopes.filter((scope) => !unused.includes(scope));
      return site.respond(visit.c, rotatePage(visit, key, chosen));
    }),

    rotate: inKey(async (visit, key) => {
      const form = await readSessionForm(visit);
      const hours = form.single('overlap');
      const scopes = form.all('scope');
      const again = (problem: string) => site.respond(visit.c, rotatePage(visit, key, scopes, problem), 422);
      if (!OVERLAP_HOURS.includes(hours)) return again('Choose one of the options.');
      try {
        const input = { overlap_hours: Number(hours), scopes };
        const rotation = await rotateApiKey(store, key.id, input, visit.by, { maxActive });
        const { key: secret, replaces, ...created } = rotation;
        const address = site.baseAddress(visit.c);
        return site.respond(visit.c, createdKeyPage(visit, { key: secret, created, address, replaces }), 201);
      } catch (error) {
        if (error instanceof KeyLimitReachedError)
          return site.respond(visit.c, keyLimitPage(visit, error.message), 409);
        if (!(error instanceof ServiceError) || error.code === 'not_found') throw error;
        if (error.details) return again('Choose at least one of the scopes of the key.');
        return site.respond(visit.c, keyAlreadyRotatedPage(visit, await getApiKey(store, key)), 409);
      }
    }),

    askRevocation: inKey(async (visit, key) => site.respond(visit.c, revokePage(visit, key))),

    revoke: inKey(async (visit, key) => {
      await readSessionForm(visit);
      await revokeApiKey(store, key.id, visit.by);
      return visit.c.redirect(pathOf(visit.organization.id, 'keys', key.id), 303);
    }),
  };
}

/** A signed id for a new key, so that a form sent twice creates one key. */
function signedId(token: string, id: string): string {
  return `${id}.${sign(token, keyIdContent(id))}`;
}

/** The signed content of an id, which differs from that of CSRF tokens. */
function keyIdContent(id: string): string {
  return `key ${id}`;
}
