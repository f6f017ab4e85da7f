import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Prisma } from '../../store/generated/client.ts';
import { isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { lockOrganization, readOrganization } from '../admin/organization.ts';
import { CHANGE_RESOURCES } from '../changes/changes.ts';
import { auditAction } from '../core/audit.ts';
import { invalidRequest, notFound, ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { ALL_SCOPES, type Scope } from '../core/scopes.ts';
import { ENTITIES, type EntityName } from '../entities/registry.ts';
import { isId, newId } from '../values/ids.ts';
import { wholeNumber } from '../values/numbers.ts';
import { webhookUrl } from './webhook-url.ts';

/** The webhooks of an organization; a constraint of the table has the same number. */
export const MAX_WEBHOOKS = 10;

/** The number of changes up to which a distance is exact. */
export const MAX_DISTANCE = 10_000;

/** Why a webhook is paused: by a person, after 410, after days of failures, or because the feed does not reach its cursor. */
export type PauseReason = 'requested' | 'gone' | 'failing' | 'cursor';

/** A webhook without its secret. Times are ISO 8601, by the database's clock. */
export interface Webhook {
  readonly id: string;
  readonly organization_id: string;
  readonly url: string;
  readonly resources: readonly EntityName[];
  readonly scopes: readonly Scope[];
  /** Whether changes are sent with their records. */
  readonly with_records: boolean;
  /** `failing`: the last attempt failed, and will be repeated. */
  readonly state: 'active' | 'failing' | 'paused';
  readonly pause_reason: PauseReason | null;
  /** The number of changes that were not delivered yet; at most one more than {@link MAX_DISTANCE}. */
  readonly distance: number;
  /** When a failed delivery is repeated; null if none has failed. */
  readonly next_attempt_at: string | null;
  readonly failing_since: string | null;
  readonly created_at: string;
}

/** The resources of webhooks. Prayer requests create no notification of any kind (specification, "Events"). */
const WEBHOOK_RESOURCES = CHANGE_RESOURCES.filter((name) => name !== 'prayer_requests');

/** The scopes that webhooks can use, those of {@link WEBHOOK_RESOURCES}. */
export const WEBHOOK_SCOPES = [...new Set(WEBHOOK_RESOURCES.map((name) => ENTITIES[name].entity.scope))];

const NO_PRAYER_REQUESTS =
  'must not contain prayer_requests: a prayer request creates no notification of any kind; read its changes from the change feed';

const resources = z
  .array(
    z.enum(WEBHOOK_RESOURCES, { error: ({ input }) => (input === 'prayer_requests' ? NO_PRAYER_REQUESTS : undefined) }),
  )
  .min(1, { error: `must contain at least one of ${WEBHOOK_RESOURCES.join(', ')}` })
  .max(WEBHOOK_RESOURCES.length)
  .nullish();

const scopes = z.array(z.enum(ALL_SCOPES)).min(1, { error: 'select at least one scope' });

type Records = Pick<Store, 'prisma'>;

/** The ids by which functions find a webhook: one of another organization is not found. */
export type WebhookIds = Pick<Webhook, 'organization_id' | 'id'>;

/** The secret of a webhook, which is shown once. */
export interface WithSecret {
  readonly secret: string;
}

/** A webhook with this id already exists: the request was repeated. */
export class WebhookAlreadyCreatedError extends ServiceError {
  constructor() {
    super('invalid_request', 'This webhook was already created; its secret is shown only once');
  }
}

const newWebhook = (allowsPrivate: boolean) =>
  z.strictObject({
    organization_id: z.string(),
    url: webhookUrl(allowsPrivate),
    resources,
    scopes,
    with_records: z.boolean().default(false),
    from_start: z.boolean().default(false),
  });

/**
 * Creates a webhook. It sends the changes from now on, or every record and then its changes.
 *
 * @param input.resources by default, all that the scopes allow.
 * @param input.from_start whether it begins with every record.
 * @param by the actor, for the audit log.
 * @param options.allowsPrivate the setting `WEBHOOK_PRIVATE_NETWORKS`.
 * @param options.id chosen in advance, so that a repeated request does not create a second webhook.
 * @throws {ServiceError} `invalid_request`, also if there are {@link MAX_WEBHOOKS}; `not_found` for the organization;
 *   {@link WebhookAlreadyCreatedError}.
 */
export async function createWebhook(
  { prisma }: Records,
  input: unknown,
  by: string,
  { allowsPrivate, id = newId('whk') }: { readonly allowsPrivate: boolean; readonly id?: string },
): Promise<Webhook & WithSecret> {
  const data = parseInput(newWebhook(allowsPrivate), input);
  const chosen = resourcesOf(data.scopes, data.resources);
  const organizationId = data.organization_id;
  const secret = newSecret();
  return prisma.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const slot = await freeSlotFor(tx, { organization_id: organizationId, id });
    const { epoch, last_number } = await endOfFeed(tx, organizationId);
    await tx.webhook.create({
      data: {
        id,
        organizationId,
        slot,
        url: data.url,
        resources: chosen,
        scopes: [...new Set(data.scopes)],
        withRecords: data.with_records,
        secret,
        epoch,
        lastNumber: data.from_start ? 0n : last_number,
        startNumber: last_number,
      },
    });
    await auditAction(tx, { by, operation: 'createWebhook', organizationId, recordId: id });
    return { ...(await readWebhook(tx, { organization_id: organizationId, id })), secret };
  });
}

/**
 * Returns the first slot of an organization that no webhook has.
 *
 * @throws {ServiceError} {@link WebhookAlreadyCreatedError} if a webhook has this id; `invalid_request` if all are taken.
 */
async function freeSlotFor(tx: Prisma.TransactionClient, { organization_id, id }: WebhookIds): Promise<number> {
  const others = await tx.webhook.findMany({
    where: { organizationId: organization_id },
    select: { id: true, slot: true },
  });
  if (others.some((other) => other.id === id)) throw new WebhookAlreadyCreatedError();
  const taken = others.map(({ slot }) => slot);
  const slot = Array.from({ length: MAX_WEBHOOKS }, (_, n) => n + 1).find((free) => !taken.includes(free));
  if (slot === undefined) {
    throw new ServiceError('invalid_request', `An organization has at most ${MAX_WEBHOOKS} webhooks; delete one first`);
  }
  return slot;
}

/** Returns the webhooks of an organization, oldest first. @throws {ServiceError} `not_found` for the organization. */
export async function listWebhooks({ prisma }: Records, organizationId: string): Promise<Webhook[]> {
  await readOrganization({ prisma }, organizationId);
  return readWebhooks(prisma, organizationId, null);
}

/** Returns a webhook. @throws {ServiceError} `not_found`. */
export function getWebhook({ prisma }: Records, ids: WebhookIds): Promise<Webhook> {
  return readWebhook(prisma, ids);
}

async function readWebhook(prisma: Prisma.TransactionClient, { organization_id, id }: WebhookIds): Promise<Webhook> {
  const [webhook] = isId('whk', id) ? await readWebhooks(prisma, organization_id, id) : [];
  if (!webhook) throw notFound('Webhook');
  return webhook;
}

function readWebhooks(prisma: Prisma.TransactionClient, organizationId: string, id: string | null): Promise<Webhook[]> {
  return prisma.$queryRaw<Webhook[]>(sql`
    SELECT w.id, w.organization_id, w.url, w.resources, w.scopes, w.with_records, w.pause_reason,
      CASE WHEN w.paused_at IS NOT NULL THEN 'paused' WHEN w.attempts > 0 THEN 'failing' ELSE 'active' END AS state,
      (SELECT count(*)::int FROM (
        SELECT FROM record_change c WHERE c.organization_id = w.organization_id AND c.resource = ANY (w.resources)
          AND c.number > w.last_number LIMIT ${MAX_DISTANCE + 1}
      ) undelivered) AS distance,
      CASE WHEN w.paused_at IS NULL AND w.attempts > 0 THEN ${isoTimestamp('w.next_attempt_at')} END AS next_attempt_at,
      ${isoTimestamp('w.failing_since')} AS failing_since, ${isoTimestamp('w.created_at')} AS created_at
    FROM webhook w WHERE w.organization_id = ${organizationId} AND (${id}::text IS NULL OR w.id = ${id})
    ORDER BY w.created_at, w.id`);
}

const webhookChanges = (allowsPrivate: boolean) =>
  z.strictObject({
    url: webhookUrl(allowsPrivate).optional(),
    resources,
    scopes: scopes.optional(),
    with_records: z.boolean().optional(),
  });

/**
 * Changes a webhook. Its cursor stays the same: an added resource is sent from now on.
 *
 * @param input.resources by default, all that the new scopes allow, without those that the old ones allowed and it did not send.
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`, `not_found`.
 */
export async function updateWebhook(
  { prisma }: Records,
  ids: WebhookIds,
  input: unknown,
  by: string,
  { allowsPrivate }: { readonly allowsPrivate: boolean },
): Promise<Webhook> {
  const changes = parseInput(webhookChanges(allowsPrivate), input);
  return change(prisma, ids, { operation: 'updateWebhook', by }, async (tx, before) => {
    const leftOut = allowedBy(before.scopes).filter((name) => !before.resources.includes(name));
    const newScopes = changes.scopes ?? before.scopes;
    const kept = allowedBy(newScopes).filter((name) => !leftOut.includes(name));
    await tx.webhook.update({
      where: { id: ids.id },
      data: {
        url: changes.url ?? before.url,
        scopes: [...new Set(newScopes)],
        resources: resourcesOf(newScopes, changes.resources ?? (kept.length > 0 ? kept : undefined)),
        withRecords: changes.with_records ?? before.with_records,
      },
    });
  });
}

/** Pauses a webhook: its changes are delivered after it is resumed. @throws {ServiceError} `not_found`. */
export function pauseWebhook({ prisma }: Records, ids: WebhookIds, by: string): Promise<Webhook> {
  return change(prisma, ids, { operation: 'pauseWebhook', by }, async (tx) => {
    await tx.$executeRaw`
      UPDATE webhook SET paused_at = now(), pause_reason = 'requested' WHERE id = ${ids.id} AND paused_at IS NULL`;
  });
}

/**
 * Resumes a webhook where it was paused. If the feed does not reach its cursor any more, it starts again with every record.
 *
 * @throws {ServiceError} `not_found`.
 */
export function resumeWebhook({ prisma }: Records, ids: WebhookIds, by: string): Promise<Webhook> {
  return change(prisma, ids, { operation: 'resumeWebhook', by }, async (tx, { pause_reason }) => {
    if (pause_reason === 'cursor') {
      const { epoch, last_number } = await endOfFeed(tx, ids.organization_id);
      const data = { epoch, lastNumber: 0n, startNumber: last_number, pendingNumber: null };
      await tx.webhook.update({ where: { id: ids.id }, data });
    }
    await tx.$executeRaw`
      UPDATE webhook SET paused_at = NULL, pause_reason = NULL, attempts = 0, failing_since = NULL, next_attempt_at = now()
      WHERE id = ${ids.id}`;
  });
}

const rotation = z.strictObject({ overlap_hours: wholeNumber(0, 168, ' of hours') });

/**
 * Replaces the secret. During the overlap, deliveries are signed with both; a further rotation ends the older of them.
 *
 * @param input.overlap_hours 0 to 168.
 * @throws {ServiceError} `invalid_request`, `not_found`.
 */
export async function rotateWebhookSecret(
  { prisma }: Records,
  ids: WebhookIds,
  input: unknown,
  by: string,
): Promise<Webhook & WithSecret> {
  const { overlap_hours } = parseInput(rotation, input);
  const secret = newSecret();
  const webhook = await change(prisma, ids, { operation: 'rotateWebhookSecret', by }, async (tx) => {
    await tx.$executeRaw`
      UPDATE webhook SET secret = ${secret}, previous_secret = secret,
        previous_secret_until = now() + ${overlap_hours}::int * interval '1 hour' WHERE id = ${ids.id}`;
  });
  return { ...webhook, secret };
}

/** Deletes a webhook with its deliveries. @returns what was deleted. @throws {ServiceError} `not_found`. */
export async function deleteWebhook({ prisma }: Records, ids: WebhookIds, by: string): Promise<Webhook> {
  return prisma.$transaction(async (tx) => {
    const webhook = await readWebhook(tx, ids);
    await tx.webhook.deleteMany({ where: { id: ids.id } });
    await auditAction(tx, { by, operation: 'deleteWebhook', organizationId: ids.organization_id, recordId: ids.id });
    return webhook;
  });
}

/** Changes a webhook in a transaction, and records it in the audit log. @returns its state afterwards. */
function change(
  prisma: Store['prisma'],
  ids: WebhookIds,
  { operation, by }: { readonly operation: string; readonly by: string },
  run: (tx: Prisma.TransactionClient, before: Webhook) => Promise<void>,
): Promise<Webhook> {
  return prisma.$transaction(async (tx) => {
    // SQL, because Prisma Client takes no locks.
    await tx.$queryRaw`
      SELECT id FROM webhook WHERE organization_id = ${ids.organization_id} AND id = ${ids.id} FOR NO KEY UPDATE`;
    await run(tx, await readWebhook(tx, ids));
    await auditAction(tx, { by, operation, organizationId: ids.organization_id, recordId: ids.id });
    return readWebhook(tx, ids);
  });
}

async function endOfFeed(tx: Prisma.TransactionClient, organizationId: string) {
  const [end] = await tx.$queryRaw<{ epoch: string; last_number: bigint }[]>`
    SELECT feed.epoch, coalesce(counter.last_number, 0) AS last_number FROM change_feed feed
    LEFT JOIN organization_counter counter ON counter.organization_id = ${organizationId}`;
  if (!end) throw new Error('the table change_feed is empty; restore its row from a backup');
  return end;
}

function allowedBy(granted: readonly Scope[]): EntityName[] {
  return WEBHOOK_RESOURCES.filter((name) => granted.includes(ENTITIES[name].entity.scope));
}

/** Returns the resources in the order of the registry. @throws {ServiceError} `invalid_request` if a scope is missing. */
function resourcesOf(granted: readonly Scope[], requested: readonly EntityName[] | null | undefined): EntityName[] {
  const allowed = allowedBy(granted);
  const refused = requested?.find((name) => !allowed.includes(name));
  if (refused) {
    const message = `must contain ${ENTITIES[refused].entity.scope}, which ${refused} needs`;
    throw invalidRequest({ field: 'scopes', message });
  }
  if (allowed.length === 0) {
    throw invalidRequest({ field: 'scopes', message: `must contain one of ${WEBHOOK_SCOPES.join(', ')}` });
  }
  return allowed.filter((name) => requested?.includes(name) ?? true);
}

/** A secret in the format of Standard Webhooks, with 256 random bits. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
