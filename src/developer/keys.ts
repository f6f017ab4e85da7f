import { listAdministrators } from '../domain/admin/administrator.ts';
import {
  type ApiKey,
  apiKeyHistory,
  createApiKey,
  getApiKey,
  KeyAlreadyCreatedError,
  listApiKeys,
  revokeApiKey,
} from '../domain/admin/api-key.ts';
import { DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError } from '../domain/admin/api-key-limit.ts';
import { rotateApiKey } from '../domain/admin/api-key-rotation.ts';
import { dailyUsageOfKeys } from '../domain/admin/api-key-usage.ts';
import { ServiceError } from '../domain/core/errors.ts';
import { newId } from '../domain/core/ids.ts';
import { proofOf, requireProof } from './form.ts';
import { type Parts, pathOf } from './parts.ts';
import { keyPage } from './view/key.ts';
import { keyLimitPage } from './view/key-limit.ts';
import { keysPage } from './view/keys.ts';
import { keyAlreadyCreatedPage, newKeyPage, type WrittenKey } from './view/new-key.ts';
import { revokePage } from './view/revoke.ts';
import { keyAlreadyRotatedPage, OVERLAP_HOURS, rotatePage } from './view/rotate.ts';
import { shownOncePage } from './view/shown-once.ts';
import { createVisits, type Handler, type OrganizationVisit, readFormOf } from './visit.ts';

const CHART_DAYS = 14;

type Pages = Record<
  'list' | 'askNew' | 'make' | 'show' | 'askRotation' | 'rotate' | 'askRevocation' | 'revoke',
  Handler
>;

/** The keys of an organization: seen, made, rotated and revoked. */
export function createKeyPages(parts: Parts): Pages {
  const { site, store, maxActiveKeys: maxActive = DEFAULT_MAX_ACTIVE_KEYS } = parts;
  const { inOrganization } = createVisits(parts);

  /** Keys never change organization, so what is done to one that was found here is done here. */
  const ofKey = (handler: (visit: OrganizationVisit, key: ApiKey) => Promise<Response>): Handler =>
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
      const written = { id: signedId(visit.token, newId('key')), name: '', scopes: [], expires: '90' };
      return site.respond(visit.c, newKeyPage(visit, written));
    }),

    make: inOrganization(async (visit) => {
      const form = await readFormOf(visit);
      const expires = form.all('expires');
      const written: WrittenKey = {
        id: form.one('key'),
        name: form.one('name'),
        scopes: form.all('scope'),
        expires: expires.length === 1 ? (expires[0] ?? '') : '',
      };
      const [id = '', proof = ''] = written.id.split('.');
      requireProof(visit.token, idToMake(id), proof);
      const input = {
        organization_id: visit.organization.id,
        name: written.name,
        scopes: written.scopes,
        expires_in_days: written.expires === 'never' ? null : Number(written.expires || Number.NaN),
      };
      try {
        const { key, ...made } = await createApiKey(store, input, visit.by, { id, maxActive });
        return site.respond(visit.c, shownOncePage(visit, { key, made, address: site.baseAddress(visit.c) }), 201);
      } catch (error) {
        if (error instanceof KeyAlreadyCreatedError) {
          return site.respond(visit.c, keyAlreadyCreatedPage(visit, await getApiKey(store, { ...input, id })), 409);
        }
        if (error instanceof KeyLimitReachedError)
          return site.respond(visit.c, keyLimitPage(visit, error.message), 409);
        if (!(error instanceof ServiceError && error.details)) throw error;
        return site.respond(visit.c, newKeyPage(visit, written, error.details), 422);
      }
    }),

    show: ofKey(async (visit, key) => {
      const { id } = visit.organization;
      const [history, usage, administrators] = await Promise.all([
        apiKeyHistory(store, key.id),
        dailyUsageOfKeys(store, id, CHART_DAYS),
        listAdministrators(store, id),
      ]);
      const days = usage.find(({ key_id }) => key_id === key.id)?.days ?? [];
      return site.respond(visit.c, keyPage(visit, { key, history, days, administrators }));
    }),

    askRotation: ofKey(async (visit, key) => site.respond(visit.c, rotatePage(visit, key))),

    rotate: ofKey(async (visit, key) => {
      const form = await readFormOf(visit);
      const hours = form.one('overlap');
      if (!OVERLAP_HOURS.includes(hours)) {
        return site.respond(visit.c, rotatePage(visit, key, 'Choose one of these.'), 422);
      }
      try {
        const rotation = await rotateApiKey(store, key.id, { overlap_hours: Number(hours) }, visit.by, {
          maxActive,
        });
        const { key: secret, replaces, ...made } = rotation;
        const address = site.baseAddress(visit.c);
        return site.respond(visit.c, shownOncePage(visit, { key: secret, made, address, replaces }), 201);
      } catch (error) {
        if (error instanceof KeyLimitReachedError)
          return site.respond(visit.c, keyLimitPage(visit, error.message), 409);
        if (!(error instanceof ServiceError) || error.code === 'not_found') throw error;
        return site.respond(visit.c, keyAlreadyRotatedPage(visit, await getApiKey(store, key)), 409);
      }
    }),

    askRevocation: ofKey(async (visit, key) => site.respond(visit.c, revokePage(visit, key))),

    revoke: ofKey(async (visit, key) => {
      await readFormOf(visit);
      await revokeApiKey(store, key.id, visit.by);
      return visit.c.redirect(pathOf(visit.organization.id, 'keys', key.id), 303);
    }),
  };
}

/** A form makes the key of this id and no other: sent twice, it makes one. */
function signedId(token: string, id: string): string {
  return `${id}.${proofOf(token, idToMake(id))}`;
}

/** What the proof of an id is of: that of forms in general must not pass for one. */
function idToMake(id: string): string {
  return `key ${id}`;
}
