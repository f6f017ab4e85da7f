import { withoutTrailingSlashes } from '../pages/middleware.ts';

/** The paths of the pages. */
export const HOME = '/developer';
/** The list of organizations; {@link HOME} leads on to the only one. */
export const ORGANIZATIONS = `${HOME}?q=`;
export const SIGN_IN = `${HOME}/sign-in`;
export const SIGN_OUT = `${HOME}/sign-out`;
export const SET_PASSWORD = `${HOME}/set-password`;
export const NEW_ORGANIZATION = `${HOME}/new-organization`;
export const ACCOUNT = `${HOME}/account`;

/** The path of an organization's page, or of a page below it. */
export function pathOf(organizationId: string, ...below: string[]): string {
  return [HOME, 'organizations', organizationId, ...below].join('/');
}

/** The query parameter and form field with the path to return to after the sign-in. */
export const RETURN_FIELD = 'return_to';

/** Longer paths are not kept; those of the pages are far shorter. */
const MAX_CHARACTERS = 1_000;

/** An origin that occurs nowhere else, to resolve paths. */
const ORIGIN = 'http://pages.invalid';

/** Pages that are not returned to, because they are for users who are not signed in. */
const EXCLUDED = [SIGN_IN, SIGN_OUT, SET_PASSWORD];

/**
 * The path of a developer page and its query, if `value` is one; otherwise undefined. Clients can send any value, so it
 * is parsed like browsers parse a `Location`, and the result is what was parsed: neither `//host`, `/\host`, an absolute
 * URL nor `..` can lead elsewhere.
 */
export function parseReturnPath(value: string | undefined): string | undefined {
  if (value === undefined || value.length > MAX_CHARACTERS || !value.startsWith('/')) return undefined;
  if (!URL.canParse(value, ORIGIN)) return undefined;
  const { origin, pathname, search } = new URL(value, ORIGIN);
  const isPage = origin === ORIGIN && (pathname === HOME || pathname.startsWith(`${HOME}/`));
  return isPage && !EXCLUDED.includes(withoutTrailingSlashes(pathname)) ? pathname + search : undefined;
}

/**
 * The path of the sign-in page, which returns to the page of a request unless it is a POST.
 *
 * @param hasEnded whether the page shows that the session has ended.
 */
export function signInPath({ method, url }: Pick<Request, 'method' | 'url'>, hasEnded: boolean): string {
  const { pathname, search } = new URL(url);
  const returnPath = method === 'POST' ? undefined : parseReturnPath(pathname + search);
  const query = [
    ...(hasEnded ? ['ended'] : []),
    ...(returnPath === undefined || returnPath === HOME ? [] : [`${RETURN_FIELD}=${encodeURIComponent(returnPath)}`]),
  ].join('&');
  return query === '' ? SIGN_IN : `${SIGN_IN}?${query}`;
}
