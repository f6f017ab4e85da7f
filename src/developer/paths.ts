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
