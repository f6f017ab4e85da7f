import { countActiveKeys, DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError } from '../../domain/admin/active-keys.ts';
import {
  type ApiKey,
  createApiKey,
  EXPIRY_DAYS,
  getApiKey,
  KeyAlreadyCreatedError,
} from '../../domain/admin/api-key.ts';
import type { Rotation } from '../../domain/admin/api-key-rotation.ts';
import type { FieldError } from '../../domain/core/errors.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import { DAY_MS } from '../../domain/values/time-zone.ts';
import { quantity } from '../../domain/values/words.ts';
import { curlCommand } from '../../pages/curl.ts';
import { formatTime } from '../../pages/dates.ts';
import { copyable, type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import { invalidFieldsOf, readNewId } from '../form-data.ts';
import {
  field,
  fieldProblem,
  formatCount,
  formPage,
  newIdField,
  organizationPage,
  outcomePage,
  problemOf,
  radioButtons,
  sessionForm,
  textField,
} from '../page.ts';
import { pathOf } from '../paths.ts';
import { createVisits, type DeveloperContext, type OrganizationVisit, type Routes, readSessionForm } from '../visit.ts';
import { MATRIX_SCOPES, presetLinks, scopeMatrix, scopesOfPreset } from './scopes.ts';

/** The form of a new key, and the page that shows the key. */
export function createNewKeyPages(context: DeveloperContext): Routes {
  const { site, store, rateLimiter, maxActiveKeys: maxActive = DEFAULT_MAX_ACTIVE_KEYS } = context;
  const { inOrganization, chargeNewKey } = createVisits(context);

  const limitsOf = async ({ organization }: OrganizationVisit): Promise<KeyLimits> => ({
    active: await countActiveKeys(store.prisma, organization.id),
    maximum: maxActive,
    defaultRateLimit: rateLimiter.limit,
  });

  return {
    '/organizations/:organization/new-key': {
      GET: inOrganization(async (visit) => {
        const limits = await limitsOf(visit);
        if (limits.active >= limits.maximum) {
          return site.respond(visit.c, keyLimitPage(visit, new KeyLimitReachedError(limits.maximum).message));
        }
        const input: NewKeyInput = {
          name: defaultName(visit.organization.time_zone),
          description: '',
          scopes: scopesOfPreset(visit.c.req.query('preset')),
          expires: '90',
          rateLimit: '',
        };
        return site.respond(visit.c, newKeyPage(visit, input, limits));
      }),
      POST: inOrganization(async (visit) => {
        const form = await readSessionForm(visit);
        const expires = form.all('expires');
        const formInput: NewKeyInput = {
          name: form.single('name'),
          description: form.single('description'),
          scopes: form.all('scope'),
          expires: expires.length === 1 ? (expires[0] ?? '') : '',
          rateLimit: form.single('rate').trim(),
        };
        const id = readNewId(visit.token, 'key', form);
        const { expires: days, rateLimit, ...others } = formInput;
        const input = {
          ...others,
          organization_id: visit.organization.id,
          expires_in_days: days === 'never' ? null : Number(days || Number.NaN),
          rate_limit: rateLimit === '' ? null : Number(rateLimit),
        };
        await chargeNewKey(visit);
        try {
          const { key, ...created } = await createApiKey(store, input, visit.actor, { id, maxActive });
          return site.respond(visit.c, createdKeyPage(visit, site, { key, created }), 201);
        } catch (error) {
          if (error instanceof KeyAlreadyCreatedError) {
            return site.respond(visit.c, keyAlreadyCreatedPage(visit, await getApiKey(store, { ...input, id })), 409);
          }
          if (error instanceof KeyLimitReachedError)
            return site.respond(visit.c, keyLimitPage(visit, error.message), 409);
          const problems = invalidFieldsOf(error);
          return site.respond(visit.c, newKeyPage(visit, formInput, await limitsOf(visit), problems), 422);
        }
      }),
    },
  };
}

/** `Key of 23 Nov 2026`, the date in the time zone of the organization. */
function defaultName(timeZone: string): string {
  return `Key of ${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }).format(new Date())}`;
}

interface NewKeyInput extends KeyTexts {
  readonly scopes: readonly string[];
  /** Days, or `never`. */
  readonly expires: string;
  /** Points per minute; empty for the default. */
  readonly rateLimit: string;
}

interface KeyLimits {
  /** The number of active keys of the organization, and its maximum. */
  readonly active: number;
  readonly maximum: number;
  /** The default rate limit, in points per minute. */
  readonly defaultRateLimit: number;
}

const EXPIRES_ID = 'expires-in-days';

/** The form for a new key. */
function newKeyPage(
  visit: OrganizationVisit,
  input: NewKeyInput,
  { active, maximum, defaultRateLimit }: KeyLimits,
  problems: readonly FieldError[] = [],
): HtmlPage {
  const scopes = problemOf(problems, 'scopes');
  const expires = problemOf(problems, 'expires_in_days');
  const path = pathOf(visit.organization.id, 'new-key');
  const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: visit.organization.time_zone });
  const expiries = EXPIRY_DAYS.map((days) => {
    const date = dateFormat.format(Date.now() + days * DAY_MS);
    return [String(days), `After ${days} days, on ${date}`] as const;
  });
  const page = {
    title: 'Create an API key',
    main: html`
      <h1>Create an API key</h1>
      <p class="lead"><bdi>${visit.organization.name}</bdi> has ${quantity(active, 'active key')}; the maximum is ${maximum}.</p>
      ${sessionForm(
        visit,
        { path, submit: 'Create the key', cancel: pathOf(visit.organization.id), wide: true },
        html`
        ${newIdField(visit, 'key')}
        ${nameField(input.name, problems)}
        <fieldset${scopes && html` aria-describedby="scopes-problem"`}>
          <legend>Scopes</legend>
          <p class="hint">What requests with this key may do. Choose only the necessary scopes.</p>
          ${presetLinks(path, input.scopes)}
          ${fieldProblem('scopes', scopes)}
          ${scopeMatrix(MATRIX_SCOPES, input.scopes)}
        </fieldset>
        ${descriptionField(input.description, problems)}
        <fieldset${expires && html` aria-describedby="${EXPIRES_ID}-problem"`}>
          <legend>Expires</legend>
          ${fieldProblem(EXPIRES_ID, expires)}
          ${radioButtons('expires', [...expiries, ['never', 'Never']], input.expires, EXPIRES_ID)}
        </fieldset>${field({
          id: 'rate-limit',
          name: 'rate',
          label: 'Rate limit (optional)',
          problem: problemOf(problems, 'rate_limit'),
          attributes: html`value="${input.rateLimit}" type="number" min="1" autocomplete="off"`,
          hint: `Points per minute. The default is ${formatCount(defaultRateLimit)}.`,
        })}`,
      )}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

/** The page for a form that was sent twice, for example by loading the page of its key again. */
function keyAlreadyCreatedPage(visit: OrganizationVisit, key: ApiKey): HtmlPage {
  const message = html`The form was sent twice, and created one key: “<bdi>${key.name}</bdi>”. You won’t see the key
        again. If you did not copy it, revoke it and create another one.`;
  const path = pathOf(visit.organization.id, 'keys', key.id);
  return outcomePage(visit, 'This key was created before', message, { path, label: 'View key' });
}

/** The page for an organization with the maximum number of active keys. */
export function keyLimitPage(visit: OrganizationVisit, problem: string): HtmlPage {
  const message = `No key was created. ${problem}. Keys that are revoked or expired do not count.`;
  return outcomePage(visit, 'Too many keys', message, {
    path: pathOf(visit.organization.id),
    label: 'Back to the keys',
  });
}

interface NewKey {
  readonly key: string;
  readonly created: ApiKey;
  /** The key that it replaces, after a rotation. */
  readonly replaces?: Rotation['replaces'];
}

/** The page that shows a new key. No other page shows it. */
export function createdKeyPage(
  visit: OrganizationVisit,
  site: DeveloperContext['site'],
  { key, created, replaces }: NewKey,
): HtmlPage {
  return organizationPage(visit, {
    title: 'Your new API key',
    main: html`
      <h1>Your new API key</h1>
      <p class="notice warn" role="status">“<bdi>${created.name}</bdi>” was ${replaces ? 'rotated' : 'created'}. <strong>Copy the key
        now.</strong> You won’t see it again, because only a hash of it is stored.</p>
      <h2>${created.name}</h2>
      ${copyable('key', 'the key', key)}
      <h2>Try it</h2>
      <p>In a terminal:</p>
      ${copyable('curl', 'the request', curlCommand(site.baseAddress(visit.c), samplePath(created.scopes), key))}
      ${tryItLinks(site)}
      ${replaces && replacement(replaces, visit.organization.time_zone)}
      <div class="actions">
        <a class="button primary" href="${pathOf(visit.organization.id)}">I have copied it</a>
        <a class="button" href="${pathOf(visit.organization.id, 'keys', created.id)}">View key</a>
      </div>`,
  });
}

/**
 * Links to the served pages that send requests. They are hidden without JavaScript, which is needed to pass the key to
 * them. They open in a new tab, because this page cannot be opened again.
 */
function tryItLinks({ navigation }: DeveloperContext['site']): Html {
  const link = (path: string, label: string) =>
    navigation.some((item) => item.path === path) &&
    html`<a class="button" href="${path}" target="_blank" rel="opener" data-key="key" hidden>${label}<span
          class="visually-hidden"> (opens another tab)</span></a>`;
  return html`<div class="actions">${link('/graphql', 'Try it in GraphiQL')}${link('/docs', 'Try it in the reference')}</div>`;
}

function replacement({ state, expires_at }: Rotation['replaces'], timeZone: string): Html {
  return state === 'revoked' || expires_at === null
    ? html`<p>The replaced key is revoked.</p>`
    : html`<p>The replaced key works until ${formatTime(expires_at, timeZone)}. Switch to the new one before then.</p>`;
}

/** A sample read of each scope. */
const SAMPLE_READS: readonly (readonly [Scope, string])[] = [
  ['members.view', '/v1/members?limit=2'],
  ['events.view', '/v1/events?limit=2'],
  ['services.view', '/v1/services?limit=2'],
  ['departments.view', '/v1/departments?limit=2'],
  ['forms.view', '/v1/forms?limit=2'],
  ['tags.view', '/v1/tags?limit=2'],
];

/** A sample request that the scopes allow; `viewer` needs none. */
function samplePath(scopes: readonly Scope[]): string {
  const [, path] = SAMPLE_READS.find(([scope]) => scopes.includes(scope)) ?? [];
  return path ?? `/graphql?query=${encodeURIComponent('{viewer{keyName scopes}}')}`;
}

/** The name and the description of a key. */
export interface KeyTexts {
  readonly name: string;
  readonly description: string;
}

/** The field for the name of a key, with its problem. */
export function nameField(name: string, problems: readonly FieldError[]): Html {
  const hint = 'So you can recognize it.';
  return textField({ id: 'name', label: 'Name', value: name, isRequired: true, hint, problems });
}

/** The field for the description of a key, with its problem. */
export function descriptionField(description: string, problems: readonly FieldError[]): Html {
  const hint = 'Where the key is used, and who to ask about it.';
  return textField({ id: 'description', label: 'Description (optional)', value: description, hint, problems });
}
