import { countActiveKeys, DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError } from '../../domain/admin/active-keys.ts';
import { createApiKey, getApiKey, KeyAlreadyCreatedError } from '../../domain/admin/api-key.ts';
import type { DeveloperContext } from '../context.ts';
import { invalidFieldsOf, readNewId } from '../form.ts';
import { createVisits, type OrganizationVisit, type Routes, readSessionForm } from '../session/visit.ts';
import {
  type KeyLimits,
  keyAlreadyCreatedPage,
  keyLimitPage,
  type NewKeyInput,
  newKeyPage,
} from '../view/keys/new-key.ts';
import { scopesOfPreset } from '../view/keys/presets.ts';
import { createdKeyPage } from '../view/keys/shown-once.ts';

/** The form of a new key, and the page that shows the key. */
export function createNewKeyPages(context: DeveloperContext): Routes {
  const { site, store, rateLimiter, maxActiveKeys: maxActive = DEFAULT_MAX_ACTIVE_KEYS } = context;
  const { inOrganization, chargeNewKey } = createVisits(context);

  const limitsOf = async ({ organization }: OrganizationVisit): Promise<KeyLimits> => ({
    active: await countActiveKeys(store.prisma, organization.id),
    maximum: maxActive,
    rate: rateLimiter.limit,
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
          rate: '',
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
          rate: form.single('rate').trim(),
        };
        const id = readNewId(visit.token, 'key', form);
        const { expires: days, rate, ...others } = formInput;
        const input = {
          ...others,
          organization_id: visit.organization.id,
          expires_in_days: days === 'never' ? null : Number(days || Number.NaN),
          rate_limit: rate === '' ? null : Number(rate),
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
