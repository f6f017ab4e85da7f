import type { ApiKey } from '../../domain/admin/api-key.ts';
import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { organizationPage, problemNotice, proofField } from './frame.ts';
import { type Choice, radios } from './radios.ts';

/** After how many hours. */
const OVERLAPS: readonly Choice[] = [
  { value: '0', label: 'At once: it is revoked' },
  { value: '1', label: 'After an hour' },
  { value: '24', label: 'After a day' },
  { value: '168', label: 'After a week' },
];

/** The overlaps that are offered, in hours as a form has them. */
export const OVERLAP_HOURS = OVERLAPS.map(({ value }) => value);

/** Asks how a key is to be rotated. */
export function rotatePage(visit: OrganizationVisit, key: ApiKey, problem?: string): Page {
  if (key.state !== 'active' || key.replaced_by !== null) return keyAlreadyRotatedPage(visit, key);
  const back = pathOf(visit.organization.id, 'keys', key.id);
  return organizationPage(visit, {
    title: `Rotate ${key.name}`,
    main: html`
      <h1>Rotate “${key.name}”</h1>
      <p class="lead">Makes another key with the same name, scopes and end. Both work until the old one ends, so that you
        can change over without a gap.</p>
      ${problemNotice(problem)}
      <form class="panel narrow" method="post" action="${back}/rotate">
        ${proofField(visit)}
        <fieldset>
          <legend>The old key ends</legend>
          <div class="choices one">${radios('overlap', OVERLAPS, '24')}
          </div>
        </fieldset>
        <div class="actions">
          <button class="button primary">Rotate the key</button>
          <a class="button" href="${back}">Cancel</a>
        </div>
      </form>`,
  });
}

/** A key that cannot be rotated, for example because the form was sent before. */
export function keyAlreadyRotatedPage(visit: OrganizationVisit, key: ApiKey): Page {
  const why = key.replaced_by === null ? `This key is ${key.state}.` : 'This key was rotated before.';
  return organizationPage(visit, {
    title: `${key.name} cannot be rotated`,
    main: html`
      <h1>“${key.name}” cannot be rotated</h1>
      <p class="lead">${why} A key is shown once and cannot be shown again; if you need one, create it.</p>
      <p><a class="button" href="${pathOf(visit.organization.id, 'keys', key.id)}">To the key</a></p>`,
  });
}
