import { KeyLimitReachedError } from '../../domain/admin/active-keys.ts';
import { getApiKey } from '../../domain/admin/api-key.ts';
import { rotateApiKey } from '../../domain/admin/api-key-rotation.ts';
import { getKeyAdvice } from '../../domain/admin/scope-advice.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import type { DeveloperContext } from '../context.ts';
import { createVisits, type Routes, readSessionForm } from '../session/visit.ts';
import { cannotRotatePage, isOverlap, rotatePage } from '../view/keys/change.ts';
import { keyLimitPage } from '../view/keys/new-key.ts';
import { createdKeyPage } from '../view/keys/shown-once.ts';

/** The form that rotates a key, and the page that shows the new one. */
export function createRotationPages(context: DeveloperContext): Routes {
  const { site, store, maxActiveKeys: maxActive } = context;
  const { inKey, chargeNewKey } = createVisits(context);

  return {
    '/organizations/:organization/keys/:key/rotate': {
      GET: inKey(async (visit, key) => {
        const { unused_scopes } = await getKeyAdvice(store, key);
        const unused = visit.c.req.query('narrow') === undefined ? [] : (unused_scopes ?? []);
        const chosen = key.scopes.filter((scope) => !unused.includes(scope));
        return site.respond(visit.c, rotatePage(visit, key, chosen));
      }),
      POST: inKey(async (visit, key) => {
        const form = await readSessionForm(visit);
        const hours = form.single('overlap');
        const scopes = form.all('scope');
        const reject = (field: string, message: string) =>
          site.respond(visit.c, rotatePage(visit, key, scopes, [{ field, message }]), 422);
        if (!isOverlap(hours)) return reject('overlap', 'Choose one of the options');
        await chargeNewKey(visit);
        try {
          const input = { overlap_hours: Number(hours), scopes };
          const rotation = await rotateApiKey(store, key, input, visit.actor, { maxActive });
          const { key: secret, replaces, ...created } = rotation;
          return site.respond(visit.c, createdKeyPage(visit, site, { key: secret, created, replaces }), 201);
        } catch (error) {
          if (error instanceof KeyLimitReachedError)
            return site.respond(visit.c, keyLimitPage(visit, error.message), 409);
          if (!(error instanceof ServiceError) || error.code === 'not_found') throw error;
          if (error.details) return reject('scopes', 'Choose at least one of the scopes of the key');
          return site.respond(visit.c, cannotRotatePage(visit, await getApiKey(store, key)), 409);
        }
      }),
    },
  };
}
