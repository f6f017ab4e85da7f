import { expect, it } from 'vitest';
import { ENTITIES } from '../../../src/domain/entities/registry.ts';
import { runCli } from '../../support/processes/cli.ts';
import { startReceiver, verify } from '../../support/receiver.ts';
import { cms, environment, newKey, runOk, runRefused, text } from './commands.ts';

const URL = 'https://hooks.example.org/cms';

async function newWebhook(...options: string[]) {
  const { organization } = await newKey();
  const of = ['--organization', organization.id];
  return { of, webhook: await runOk('webhook', 'create', ...of, '--url', URL, '--scopes', 'members.view', ...options) };
}

it('creates a webhook with a secret that no other command shows', async () => {
  const { of, webhook } = await newWebhook('--resources', 'members', '--records');
  expect(webhook).toMatchObject({
    id: expect.stringMatching(/^whk_/),
    secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    url: URL,
    resources: ['members'],
    scopes: ['members.view'],
    with_records: true,
    state: 'active',
    distance: 0,
  });
  const { secret, ...shown } = webhook;
  expect(await runOk('webhook', 'list', ...of)).toEqual([shown]);
  expect(await runOk('webhook', 'list', ...of, webhook.id)).toEqual([shown]);
  const listed = await text('webhook', 'list', ...of);
  expect(listed.out).toContain(URL);
  expect(listed.out).not.toContain(secret);
});

it('pauses, resumes, changes and deletes it', async () => {
  const { of, webhook } = await newWebhook();
  expect(await runOk('webhook', 'pause', ...of, webhook.id)).toMatchObject({
    state: 'paused',
    pause_reason: 'requested',
  });
  expect(await runOk('webhook', 'resume', ...of, webhook.id)).toMatchObject({ state: 'active', pause_reason: null });
  const changes = ['--url', `${URL}/2`, '--scopes', 'events.view', '--records'];
  expect(await runOk('webhook', 'update', ...of, webhook.id, ...changes)).toMatchObject({
    url: `${URL}/2`,
    resources: ['events'],
    with_records: true,
  });
  expect(await runOk('webhook', 'update', ...of, webhook.id, '--no-records')).toMatchObject({ with_records: false });
  expect(await runOk('webhook', 'deliveries', ...of, webhook.id)).toEqual([]);
  expect(await runOk('webhook', 'delete', ...of, webhook.id)).toMatchObject({ id: webhook.id });
  expect(await runRefused('webhook', 'pause', ...of, webhook.id)).toMatchObject({ code: 'not_found' });
  expect((await text('webhook', 'list', ...of)).out).toBe(
    'There are no webhooks. Create one with: ./cms webhook create\n',
  );
});

it('rotates the secret, and shows the new one', async () => {
  const { of, webhook } = await newWebhook();
  const rotated = await runOk('webhook', 'rotate-secret', ...of, webhook.id, '--overlap', '48');
  expect(rotated).toMatchObject({ id: webhook.id, secret: expect.stringMatching(/^whsec_/) });
  expect(rotated.secret).not.toBe(webhook.secret);
  const { out } = await text('webhook', 'rotate-secret', ...of, webhook.id);
  expect(out).toMatch(/^The secret, shown only once:\n\n {2}whsec_/);
  expect(await runRefused('webhook', 'rotate-secret', ...of, webhook.id, '--overlap', '169')).toMatchObject({
    details: [{ field: '--overlap', message: 'must be a whole number of hours from 0 to 168' }],
  });
});

it('sends a test, whose result is listed with the deliveries', async () => {
  const { of, webhook } = await newWebhook();
  const receiver = await startReceiver((_, response) => void response.end('Thanks\u001b[31m'));
  const allowing = { ...environment, WEBHOOK_PRIVATE_NETWORKS: 'on' };
  await runCli(allowing, 'webhook', 'update', ...of, webhook.id, '--url', receiver.url);
  const refused = await runOk('webhook', 'send-test', ...of, webhook.id);
  expect(refused).toMatchObject({ status: null, error: 'the host has an address that is not public', answer: null });
  const ran = await runCli(allowing, 'webhook', 'send-test', ...of, webhook.id, '--json');
  expect(ran.json).toMatchObject({ status: 200, error: null, answer: 'Thanks\u001b[31m' });
  const [received] = receiver.received as [(typeof receiver.received)[0]];
  expect(received.changes).toEqual([]);
  expect(verify(received, webhook.secret)).toMatchObject({ changes: [] });
  const [test, first] = await runOk('webhook', 'deliveries', ...of, webhook.id);
  expect(test).toMatchObject({ is_test: true, status: 200, changes: 0, message_id: received.headers['webhook-id'] });
  expect(first).toMatchObject({ is_test: true, status: null });
  const { out } = await text('webhook', 'deliveries', ...of, webhook.id, '--limit', '1');
  expect(out).toContain('Thanks\\u001b[31m');
  expect(out).not.toContain('\u001b');
});

it('refuses prayer requests, private addresses and missing options with the names of the options', async () => {
  const { organization } = await newKey();
  const create = ['webhook', 'create', '--organization', organization.id];
  const messages = async (...options: string[]) => {
    const { details } = await runRefused(...create, ...options);
    return details.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`).join();
  };
  const valid = ['--url', URL, '--scopes', 'all'];
  expect(await messages(...valid, '--resources', 'prayer_requests')).toContain(
    '--resources must not contain prayer_requests',
  );
  const allowed = Object.keys(ENTITIES).filter((name) => name !== 'prayer_requests');
  expect(await messages(...valid, '--resources', 'member')).toBe(
    `--resources must be one of ${allowed.join(', ')}; did you mean members?`,
  );
  expect(await messages('--url', 'https://10.0.0.1/', '--scopes', 'all')).toBe('--url must have a public address');
  expect(await messages('--url', URL)).toContain('--scopes required');
  const missing = await cms('webhook', 'pause', 'whk_unknown', '--organization', organization.id);
  expect(missing.code).toBe(1);
});
