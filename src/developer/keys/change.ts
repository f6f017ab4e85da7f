import { KeyLimitReachedError } from '../../domain/admin/active-keys.ts';
import { type ApiKey, getApiKey, revokeApiKey, updateApiKey } from '../../domain/admin/api-key.ts';
import { rotateApiKey } from '../../domain/admin/api-key-rotation.ts';
import { getKeyAdvice } from '../../domain/admin/scope-advice.ts';
import { type FieldError, ServiceError } from '../../domain/core/errors.ts';
import { formatRelative } from '../../pages/dates.ts';
import { html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import { invalidFieldsOf } from '../form-data.ts';
import { confirmation, formPage, organizationPage, outcomePage, radioButtons, sessionForm } from '../page.ts';
import { pathOf } from '../paths.ts';
import { createVisits, type DeveloperContext, type OrganizationVisit, type Routes, readSessionForm } from '../visit.ts';
import { formatPrefix } from './key.ts';
import { createdKeyPage, descriptionField, type KeyTexts, keyLimitPage, nameField } from './new-key.ts';
import { scopeMatrix } from './scopes.ts';

/** The forms that edit, revoke and rotate a key. */
export function createKeyChangePages(context: DeveloperContext): Routes {
  const { site, store, maxActiveKeys: maxActive } = context;
  const { inKey, chargeNewKey } = createVisits(context);

  return {
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

/** The form for the name and the description of a key. @param input what was entered; at first, what is stored. */
function editPage(
  visit: OrganizationVisit,
  key: ApiKey,
  input: KeyTexts,
  problems: readonly FieldError[] = [],
): HtmlPage {
  const back = pathOf(visit.organization.id, 'keys', key.id);
  const page = {
    title: `Edit ${key.name}`,
    main: html`
      <h1>Edit “<bdi>${key.name}</bdi>”</h1>
      <p class="lead">The key itself stays the same, and keeps working.</p>
      ${sessionForm(
        visit,
        { path: `${back}/edit`, submit: 'Save', cancel: back },
        html`${nameField(input.name, problems)}${descriptionField(input.description, problems)}`,
      )}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

/** The confirmation of revoking a key. */
function revokePage(visit: OrganizationVisit, key: ApiKey): HtmlPage {
  const back = pathOf(visit.organization.id, 'keys', key.id);
  if (key.state === 'revoked') {
    const message = 'Every request with it is refused, permanently.';
    return outcomePage(visit, 'is revoked', message, { path: back, label: 'View key', name: key.name });
  }
  return organizationPage(visit, {
    title: `Revoke ${key.name}`,
    main: html`
      <h1>Revoke “<bdi>${key.name}</bdi>”?</h1>
      <p class="lead">Every further request with the key <code>${formatPrefix(key)}</code> will be refused. This cannot
        be undone. Its history is kept.</p>
      <p>${key.last_used_at ? html`It was last used ${formatRelative(key.last_used_at, visit.organization.time_zone)}.` : 'It was never used.'}</p>
      ${confirmation(visit, { path: `${back}/revoke`, submit: 'Revoke the key', cancel: back })}`,
  });
}

/** The offered overlaps, by hours. */
export const OVERLAPS = [
  ['0', 'Immediately'],
  ['1', 'After an hour'],
  ['24', 'After a day'],
  ['168', 'After a week'],
] as const;

/** Whether an overlap is offered. */
export function isOverlap(hours: string): boolean {
  return OVERLAPS.some(([offered]) => offered === hours);
}

/** The form for rotating a key. @param chosen the scopes that are selected. */
function rotatePage(
  visit: OrganizationVisit,
  key: ApiKey,
  chosen: readonly string[] = key.scopes,
  problems: readonly FieldError[] = [],
): HtmlPage {
  if (key.state !== 'active' || key.replaced_by !== null) return cannotRotatePage(visit, key);
  const back = pathOf(visit.organization.id, 'keys', key.id);
  const page = {
    title: `Rotate ${key.name}`,
    main: html`
      <h1>Rotate “<bdi>${key.name}</bdi>”</h1>
      <p class="lead">Creates another key with the same name and expiry, and the scopes below. Both work until the old one
        expires, so you can switch without downtime.</p>
      ${sessionForm(
        visit,
        { path: `${back}/rotate`, submit: 'Rotate the key', cancel: back },
        html`
        <fieldset>
          <legend>The old key expires</legend>
          ${radioButtons('overlap', OVERLAPS, '24', 'overlap')}
        </fieldset>
        <fieldset>
          <legend>Scopes of the new key</legend>
          <p class="hint">A rotation cannot add scopes.</p>
          ${scopeMatrix(key.scopes, chosen)}
        </fieldset>`,
      )}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

/** The page for a key that is revoked or expired, or was already rotated (the form was sent twice). */
function cannotRotatePage(visit: OrganizationVisit, key: ApiKey): HtmlPage {
  const message =
    key.replaced_by === null
      ? `This key is ${key.state}. Create another key instead.`
      : 'This key was already rotated. If you did not copy its replacement, rotate the replacement.';
  const path = pathOf(visit.organization.id, 'keys', key.replaced_by ?? key.id);
  const label = key.replaced_by === null ? 'View key' : 'View replacement';
  return outcomePage(visit, 'cannot be rotated', message, { path, label, name: key.name });
}
