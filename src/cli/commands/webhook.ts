import type { Command } from 'commander';
import { parseScopes } from '../../domain/admin/api-key.ts';
import { DELIVERY_DAYS, listDeliveries } from '../../domain/webhooks/delivery-list.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
  WEBHOOK_SCOPES,
  type Webhook,
  type WebhookIds,
  type WithSecret,
} from '../../domain/webhooks/webhook.ts';
import { styled } from '../../processes/terminal.ts';
import { sendTest } from '../../webhooks/deliveries.ts';
import { actor, type Cli } from '../cli.ts';
import { parseInteger, required } from '../options.ts';
import { scopesHelp } from '../output/key-output.ts';
import { record } from '../output/output.ts';
import { table } from '../output/table.ts';
import { storeAction } from '../with-store.ts';

/** Adds the commands `webhook …`. */
export function addWebhookCommands(program: Command, cli: Cli): void {
  const group = program
    .command('webhook')
    .description('manage the webhooks of organizations and show their deliveries');
  addCreate(group, cli);
  addList(group, cli);
  addUpdate(group, cli);
  addDeliveries(group, cli);
  addSendTest(group, cli);
  addStateCommand(group, cli, 'pause', 'pause a webhook; its changes are delivered after it is resumed', pauseWebhook);
  addStateCommand(group, cli, 'resume', 'resume a webhook that is paused', resumeWebhook);
  addRotateSecret(group, cli);
  addStateCommand(group, cli, 'delete', 'delete a webhook and the list of its deliveries', deleteWebhook);
}

interface WebhookOptions {
  readonly organization: string;
  readonly url?: string;
  readonly scopes?: string;
  readonly resources?: string;
  readonly records?: boolean;
}

function addCreate(group: Command, cli: Cli): void {
  group
    .command('create')
    .description('create a webhook, which sends changes to a URL; its secret is shown only once')
    .addOption(required('--organization <id>', 'the id of the organization whose changes it sends'))
    .addOption(required('--url <url>', 'the https URL of the receiver'))
    .addOption(required('--scopes <scopes>', 'its scopes, separated by commas: those of the resources'))
    .option('--resources <resources>', RESOURCES)
    .option('--records', 'send changes with their records')
    .option('--from-start', 'begin with every record (default: only the changes from now on)')
    .addHelpText('after', scopesHelp(WEBHOOK_SCOPES))
    .addHelpText(
      'after',
      '\nExample:\n  $ ./cms webhook create --organization org_01j… --url https://hooks.example.org/cms --scopes members.view',
    )
    .action(
      storeAction(
        cli,
        async ({ store, settings }, { fromStart, ...options }: WebhookOptions & { readonly fromStart?: true }) => {
          const fields = { organization_id: options.organization, ...fieldsOf(options), from_start: fromStart };
          return createWebhook(store, fields, actor(), { allowsPrivate: settings.webhookPrivateNetworks });
        },
        (webhook) => formatWithSecret(cli, webhook),
        lostSecretAdvice,
      ),
    );
}

const RESOURCES = 'the resources whose changes it sends, separated by commas (default: all that the scopes allow)';

/** The fields that options set; others are undefined. */
function fieldsOf({ url, scopes, resources, records }: WebhookOptions) {
  return {
    url,
    scopes: scopes === undefined ? undefined : parseScopes(scopes),
    resources: resources?.split(',').map((name) => name.trim()),
    with_records: records,
  };
}

function addList(group: Command, cli: Cli): void {
  group
    .command('list')
    .description('list the webhooks of an organization, oldest first, or show one')
    .argument('[webhook-id]', 'the id of a webhook')
    .addOption(required('--organization <id>', 'the id of the organization'))
    .addHelpText('after', '\nExample:\n  $ ./cms webhook list --organization org_01j…')
    .action(
      storeAction(
        cli,
        async ({ store }, id: string | undefined, { organization }: { organization: string }) =>
          id === undefined
            ? listWebhooks(store, organization)
            : [await getWebhook(store, { organization_id: organization, id })],
        (webhooks) =>
          table(
            cli.stdout,
            webhooks.map((webhook) => ({ ...webhook, resources: webhook.resources.join(',') })),
            ['url', 'state', 'distance', 'next_attempt_at', 'resources', 'created_at', 'id'],
            'There are no webhooks. Create one with: ./cms webhook create',
          ),
      ),
    );
}

function addUpdate(group: Command, cli: Cli): void {
  commandOnWebhook(group, 'update', 'change the URL, the scopes or the resources of a webhook', '--records')
    .option('--url <url>', 'the https URL of the receiver')
    .option('--scopes <scopes>', 'its scopes, separated by commas')
    .option('--resources <resources>', RESOURCES)
    .option('--records', 'send changes with their records')
    .option('--no-records', 'send changes without their records')
    .action(
      storeAction(
        cli,
        ({ store, settings }, id: string, options: WebhookOptions) => {
          const allowed = { allowsPrivate: settings.webhookPrivateNetworks };
          return updateWebhook(store, idsOf(id, options), fieldsOf(options), actor(), allowed);
        },
        (webhook) => formatWebhook(cli, webhook),
      ),
    );
}

function addDeliveries(group: Command, cli: Cli): void {
  commandOnWebhook(
    group,
    'deliveries',
    `show the deliveries of the last ${DELIVERY_DAYS} days, newest first`,
    '--limit 10',
  )
    .option('--limit <number>', 'the maximum number of deliveries, at most 100', parseInteger, 25)
    .action(
      storeAction(
        cli,
        ({ store }, id: string, { limit, ...options }: WebhookOptions & { readonly limit: number }) =>
          listDeliveries(store, idsOf(id, options), { limit }),
        (deliveries) =>
          table(
            cli.stdout,
            deliveries.map((delivery) => ({
              ...delivery,
              content: delivery.is_test ? 'test' : String(delivery.changes),
            })),
            ['at', 'content', 'status', 'duration_ms', 'error', 'answer', 'message_id'],
            'There are no deliveries.',
          ),
      ),
    );
}

function addSendTest(group: Command, cli: Cli): void {
  commandOnWebhook(group, 'send-test', 'send a test, a delivery without changes, and show the response').action(
    storeAction(
      cli,
      ({ store, settings }, id: string, options: WebhookOptions) =>
        sendTest({ store, allowsPrivate: settings.webhookPrivateNetworks }, idsOf(id, options), actor()),
      (attempt) => record(cli.stdout, { ...attempt }),
    ),
  );
}

function addRotateSecret(group: Command, cli: Cli): void {
  commandOnWebhook(
    group,
    'rotate-secret',
    'replace the secret; both secrets sign during the overlap, and rotating again ends the oldest immediately',
    '--overlap 48',
  )
    .option('--overlap <hours>', 'the number of hours until the old secret ends, at most 168', parseInteger, 24)
    .action(
      storeAction(
        cli,
        ({ store }, id: string, { overlap, ...options }: WebhookOptions & { readonly overlap: number }) =>
          rotateWebhookSecret(store, idsOf(id, options), { overlap_hours: overlap }, actor()),
        (webhook) => formatWithSecret(cli, webhook),
        lostSecretAdvice,
      ),
    );
}

/** Adds a command without further options. */
function addStateCommand(group: Command, cli: Cli, name: string, description: string, run: typeof pauseWebhook): void {
  commandOnWebhook(group, name, description).action(
    storeAction(
      cli,
      ({ store }, id: string, options: WebhookOptions) => run(store, idsOf(id, options), actor()),
      (webhook) => formatWebhook(cli, webhook),
    ),
  );
}

/** Adds a command that has the id of a webhook as its argument. @param options the options in the example of its help. */
function commandOnWebhook(group: Command, name: string, description: string, options?: string): Command {
  const example = `./cms webhook ${name} --organization org_01j… whk_01j…${options ? ` ${options}` : ''}`;
  return group
    .command(name)
    .description(description)
    .argument('<webhook-id>', 'the id of the webhook')
    .addOption(required('--organization <id>', 'the id of its organization'))
    .addHelpText('after', `\nExample:\n  $ ${example}`);
}

function idsOf(id: string, { organization }: WebhookOptions): WebhookIds {
  return { organization_id: organization, id };
}

function formatWebhook({ stdout }: Cli, webhook: Webhook): string {
  const { resources, scopes, with_records, ...fields } = webhook;
  const lists = { resources: resources.join(', '), scopes: scopes.join(', '), with_records: String(with_records) };
  return record(stdout, { ...fields, ...lists });
}

function formatWithSecret(cli: Cli, { secret, ...webhook }: Webhook & WithSecret): string {
  return `The secret, shown only once:\n\n  ${styled(cli.stdout, 'green', secret)}\n\n${formatWebhook(cli, webhook)}`;
}

/** The advice for a secret that could not be printed. */
function lostSecretAdvice({ id, organization_id }: Webhook): string {
  return `the webhook ${id} has a new secret, which cannot be shown again; replace it with "./cms webhook rotate-secret --organization ${organization_id} ${id} --overlap 0"`;
}
