import { type Html, html, nothing } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { PROOF, proofOf } from '../form.ts';
import { HOME, pathOf, SIGN_OUT } from '../parts.ts';
import type { OrganizationVisit, Visit } from '../visit.ts';

/** A page of somebody who is signed in. */
export function signedInPage(visit: Visit, page: Pick<Page, 'title' | 'main'>): Page {
  const { who } = visit;
  const name = who.kind === 'operator' ? 'Operator' : (who.name ?? who.email);
  return {
    ...page,
    account: html`
      <form class="account" method="post" action="${SIGN_OUT}">
        ${proofField(visit)}
        <span class="muted">${name}</span>
        <button class="button small">Sign out</button>
      </form>`,
  };
}

/** A page of an organization, below the way to it. */
export function organizationPage(visit: OrganizationVisit, page: Pick<Page, 'title' | 'main'>): Page {
  const { organization, who } = visit;
  const crumbs = html`
      <nav class="crumbs" aria-label="Where you are">
        ${who.kind === 'operator' ? html`<a href="${HOME}">Organizations</a> <span aria-hidden="true">/</span>` : nothing}
        <a href="${pathOf(organization.id)}">${organization.name}</a>
      </nav>`;
  return signedInPage(visit, { ...page, main: html`${crumbs}${page.main}` });
}

/** What every form that changes something carries. */
export function proofField({ token }: Visit): Html {
  return html`<input type="hidden" name="${PROOF}" value="${proofOf(token, PROOF)}">`;
}

/** What went wrong with a form, where people and screen readers meet it first. */
export function problemNotice(problem: string | undefined): Html {
  return problem === undefined ? nothing : html`<p class="notice danger" role="alert">${problem}</p>`;
}

/** The files that these pages have beside those of all. */
export function stylesheet(version: string): Html {
  return html`
  <link rel="stylesheet" href="${HOME}/assets/${version}/developer.css">`;
}
