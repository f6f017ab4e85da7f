import type { ApiKey } from '../../../domain/admin/api-key.ts';
import { html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../visit.ts';
import { choice, sessionForm } from '../form.ts';
import { organizationPage, outcomePage, problemNotice } from '../frame.ts';
import { scopeMatrix } from './scope-matrix.ts';

/** The offered overlaps, by hours. */
const OVERLAPS: ReadonlyMap<string, string> = new Map([
  ['0', 'Immediately: it is revoked'],
  ['1', 'After an hour'],
  ['24', 'After a day'],
  ['168', 'After a week'],
]);

/** Whether an overlap is offered. */
export function isOverlap(hours: string): boolean {
  return OVERLAPS.has(hours);
}

/**
 * The form for rotating a key.
 *
 * @param chosen the scopes that are selected.
 */
export function rotatePage(
  visit: OrganizationVisit,
  key: ApiKey,
  chosen: readonly string[] = key.scopes,
  problem?: string,
): Page {
  if (key.state !== 'active' || key.replaced_by !== null) return cannotRotatePage(visit, key);
  const back = pathOf(visit.organization.id, 'keys', key.id);
  return organizationPage(visit, {
    title: `Rotate ${key.name}`,
    main: html`
      <h1>Rotate “<bdi>${key.name}</bdi>”</h1>
      <p class="lead">Creates another key with the same name and expiry, and the scopes below. Both work until the old one
        expires, so you can switch without downtime.</p>
      ${problemNotice(problem)}
      ${sessionForm(
        visit,
        { path: `${back}/rotate`, submit: 'Rotate the key', cancel: back },
        html`
        <fieldset>
          <legend>The old key expires</legend>
          <div class="choices">${[...OVERLAPS].map(([hours, label]) => choice('radio', 'overlap', hours, hours === '24', html`${label}`))}
          </div>
        </fieldset>
        <fieldset>
          <legend>Scopes of the new key</legend>
          <p class="hint">A rotation cannot add scopes.</p>
          ${scopeMatrix(key.scopes, chosen)}
        </fieldset>`,
      )}`,
  });
}

/** The page for a key that cannot be rotated: it is revoked or expired, or was already rotated (the form was sent twice). */
export function cannotRotatePage(visit: OrganizationVisit, key: ApiKey): Page {
  const title = `“${key.name}” cannot be rotated`;
  const heading = html`“<bdi>${key.name}</bdi>” cannot be rotated`;
  const pathOfKey = (id: string) => pathOf(visit.organization.id, 'keys', id);
  if (key.replaced_by === null) {
    const message = `This key is ${key.state}. Create another key instead.`;
    return outcomePage(visit, title, message, { path: pathOfKey(key.id), label: 'View key', heading });
  }
  const message = 'This key was already rotated. If you did not copy its replacement, rotate the replacement.';
  return outcomePage(visit, title, message, { path: pathOfKey(key.replaced_by), label: 'View replacement', heading });
}
