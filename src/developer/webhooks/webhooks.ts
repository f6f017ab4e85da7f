import { listDeliveries } from '../../domain/webhooks/delivery-list.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type Webhook,
  WebhookAlreadyCreatedError,
} from '../../domain/webhooks/webhook.ts';
import type { DeveloperContext } from '../context.ts';
import { type Form, invalidFieldsOf, readNewId } from '../form.ts';
import { pathOf } from '../paths.ts';
import { Refusal } from '../refusal.ts';
import { createVisits, type Handler, type OrganizationVisit, type Routes, readSessionForm } from '../session/visit.ts';
import { isOverlap } from '../view/keys/change.ts';
import {
  deleteWebhookPage,
  editWebhookPage,
  newWebhookPage,
  rotateSecretPage,
  type WebhookInput,
  webhookSecretPage,
} from '../view/webhooks/change.ts';
import { webhookPage } from '../view/webhooks/webhook.ts';
import { webhooksPage } from '../view/webhooks/webhooks.ts';

/** The pages of an organization's webhooks. */
export function createWebhookPages(context: DeveloperContext): Routes {
  const { site, store, webhooks } = context;
  const { allowsPrivate } = webhooks;
  const { inOrganization } = createVisits(context);
  const inWebhook = (handler: (visit: OrganizationVisit, webhook: Webhook) => Response | Promise<Response>): Handler =>
    inOrganization(async (visit) => {
      const ids = { organization_id: visit.organization.id, id: visit.c.req.param('webhook') ?? '' };
      return handler(visit, await getWebhook(store, ids));
    });
  /** A form without fields, after which the page of the webhook is shown. */
  const action = (done: string, run: (webhook: Webhook, by: string) => Promise<unknown>): { POST: Handler } => ({
    POST: inWebhook(async (visit, webhook) => {
      await readSessionForm(visit);
      await run(webhook, visit.actor);
      return visit.c.redirect(`${pathOf(visit.organization.id, 'webhooks', webhook.id)}?${done}`, 303);
    }),
  });
  return {
    '/organizations/:organization/webhooks': {
      GET: inOrganization(async (visit) =>
        site.respond(visit.c, webhooksPage(visit, await listWebhooks(store, visit.organization.id))),
      ),
    },
    '/organizations/:organization/new-webhook': {
      GET: inOrganization((visit) =>
        site.respond(visit.c, newWebhookPage(visit, { url: '', scopes: [], withRecords: false, begin: 'now' })),
      ),
      POST: inOrganization(async (visit) => {
        const form = await readSessionForm(visit);
        const id = readNewId(visit.token, 'whk', form);
        const input = { ...readWebhook(form), begin: form.all('begin')[0] ?? 'now' };
        try {
          const fields = {
            organization_id: visit.organization.id,
            ...fieldsOf(input),
            from_start: input.begin === 'start',
          };
          const created = await createWebhook(store, fields, visit.actor, { allowsPrivate, id });
          return site.respond(visit.c, webhookSecretPage(visit, created, 'The secret of the webhook'), 201);
        } catch (error) {
          if (error instanceof WebhookAlreadyCreatedError) throw alreadyCreated();
          return site.respond(visit.c, newWebhookPage(visit, input, invalidFieldsOf(error)), 422);
        }
      }),
    },
    '/organizations/:organization/webhooks/:webhook': {
      GET: inWebhook(async (visit, webhook) =>
        site.respond(visit.c, webhookPage(visit, webhook, await listDeliveries(store, webhook))),
      ),
    },
    '/organizations/:organization/webhooks/:webhook/test': action('tested', (webhook, by) =>
      webhooks.sendTest(webhook, by),
    ),
    '/organizations/:organization/webhooks/:webhook/pause': action('paused', (webhook, by) =>
      pauseWebhook(store, webhook, by),
    ),
    '/organizations/:organization/webhooks/:webhook/resume': action('resumed', (webhook, by) =>
      resumeWebhook(store, webhook, by),
    ),
    '/organizations/:organization/webhooks/:webhook/edit': {
      GET: inWebhook((visit, webhook) =>
        site.respond(visit.c, editWebhookPage(visit, webhook, { ...webhook, withRecords: webhook.with_records })),
      ),
      POST: inWebhook(async (visit, webhook) => {
        const input = readWebhook(await readSessionForm(visit));
        try {
          await updateWebhook(store, webhook, fieldsOf(input), visit.actor, { allowsPrivate });
        } catch (error) {
          return site.respond(visit.c, editWebhookPage(visit, webhook, input, invalidFieldsOf(error)), 422);
        }
        return visit.c.redirect(`${pathOf(visit.organization.id, 'webhooks', webhook.id)}?edited`, 303);
      }),
    },
    '/organizations/:organization/webhooks/:webhook/rotate': {
      GET: inWebhook((visit, webhook) => site.respond(visit.c, rotateSecretPage(visit, webhook))),
      POST: inWebhook(async (visit, webhook) => {
        const hours = (await readSessionForm(visit)).single('overlap');
        if (!isOverlap(hours)) throw new Refusal(400, 'Invalid form', 'Choose one of the options.');
        const rotated = await rotateWebhookSecret(store, webhook, { overlap_hours: Number(hours) }, visit.actor);
        return site.respond(visit.c, webhookSecretPage(visit, rotated, 'The new secret of the webhook'), 201);
      }),
    },
    '/organizations/:organization/webhooks/:webhook/delete': {
      GET: inWebhook((visit, webhook) => site.respond(visit.c, deleteWebhookPage(visit, webhook))),
      POST: inWebhook(async (visit, webhook) => {
        await readSessionForm(visit);
        await deleteWebhook(store, webhook, visit.actor);
        return visit.c.redirect(`${pathOf(visit.organization.id, 'webhooks')}?deleted`, 303);
      }),
    },
  };
}

function readWebhook(form: Form): WebhookInput {
  return {
    url: form.single('url').trim(),
    scopes: form.all('scope'),
    withRecords: form.all('content')[0] === 'records',
  };
}

function fieldsOf({ url, scopes, withRecords }: WebhookInput) {
  return { url, scopes, with_records: withRecords };
}

/** The refusal of a form that was sent twice, for example by loading the page of its secret again. */
function alreadyCreated(): Refusal {
  return new Refusal(
    409,
    'This webhook was created before',
    'The form was sent twice, and created one webhook. If you did not copy its secret, rotate it.',
  );
}
