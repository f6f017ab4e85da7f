import type { Server } from 'node:http';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { type App, type AppOptions, createApp } from './app.ts';
import { createFailedRequests, type FailedRequests } from './auth/failed-requests.ts';
import { createKeyUsage, type KeyUsage } from './auth/key-usage.ts';
import { openDemo } from './demo/open-demo.ts';
import { createOperatorLink, hasOperatorPassword } from './domain/accounts/operator.ts';
import { readOperationLists } from './graphql/plugins/persisted-operations.ts';
import { schemaWith } from './graphql/schema/federation.ts';
import { createFaults, type Faults, type LastingFault } from './observability/lasting-fault.ts';
import { createLogger } from './observability/logger.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';
import { onNpmExit, onStopSignal, requestStop, STOP_SIGNALS } from './processes/stop-request.ts';
import { terminalOf } from './processes/terminal.ts';
import { createMemoryRateLimiter, createRedisRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts';
import { createBanner } from './server/banner.ts';
import { createHttpServer, drain, listen } from './server/http-server.ts';
import { openServiceStore } from './server/open-service-store.ts';
import { printProgress, reportWhile } from './server/progress.ts';
import { startPurging } from './server/purge.ts';
import { createStartingApp } from './server/starting-app.ts';
import type { Settings } from './settings.ts';
import { isStoreUnavailable } from './store/errors.ts';
import { OutdatedVersionError } from './store/migrations/schema-version.ts';
import { sql } from './store/sql.ts';
import type { Store } from './store/store.ts';
import { Deliveries } from './webhooks/deliveries.ts';

/**
 * How long a shutdown takes at most after its delay, including the time until the server stops listening, which is longer
 * on a busy machine. The process then exits although requests are in progress.
 */
const DRAIN_TIMEOUT_MS = 2_800;

/** The time before the end of a shutdown at which the usage of keys is stored. Later usage may be lost. */
const STORE_USAGE_BEFORE_END_MS = 1_000;

/** Starts the service in this process, which serves requests until a stop signal. */
export async function startService(settings: Settings): Promise<void> {
  const log = createLogger(settings.logLevel);
  const persistedOperations = await readPersistedOperations(settings);
  const tracing = await openTracing(settings, log);
  const hasServer = settings.databaseUrl !== undefined;
  let app: App = createStartingApp(settings.rateLimitPerMinute);
  const stopping = new AbortController();
  onNpmExit(() => stopping.signal.aborted || requestStop());
  const server = createHttpServer({
    fetch: (request, connection) => app.fetch(request, connection),
    rateLimitHeaders: async (socketAddress, forwardedFor) =>
      (await app.rateLimitHeaders?.(socketAddress, forwardedFor)) ?? {},
  });
  const startListening = () => listen(server, settings.port, settings.host);
  // With an embedded database, a port that is in use is reported before the database is created. Otherwise other instances
  // serve requests until this one can.
  const earlyAddress = hasServer ? undefined : await startListening();
  printProgress(earlyAddress ? `Starting at ${earlyAddress} …` : 'Starting …');

  const resources = await openResources(settings, log, tracing);
  const { store, demoKey, metrics } = resources;
  app = createApp({
    ...appOptions(settings, resources),
    log,
    stopping: stopping.signal,
    persistedOperations,
    ...(tracing ? { trace: tracing.request } : {}),
  });
  const metricsServer = await serveMetrics(settings, metrics);
  closeOnStop({ server, metricsServer, resources, tracing, stopping, log, delayMs: settings.shutdownDelayMs });
  const address = earlyAddress ?? (await startListening());
  const { docs, graphiql, developer, dataDirectory } = settings;
  const operatorToken = developer ? await createTokenForOperator(settings, store, log) : undefined;
  const location = store.embedded ? dataDirectory : 'PostgreSQL';
  const terminal = terminalOf(process.stdout);
  const banner = { terminal, address, demoKey, docs, graphiql, developer, operatorToken, store: location };
  process.stdout.write(createBanner(banner));
}

async function readPersistedOperations(settings: Settings): Promise<AppOptions['persistedOperations']> {
  const { persistedOperations } = settings;
  if (!persistedOperations) return undefined;
  const { mode, files } = persistedOperations;
  return { mode, documents: await readOperationLists(files, schemaWith(settings)) };
}

/** Loads tracing on demand, because its libraries are not needed without it. */
async function openTracing({ traces }: Settings, log: Logger): Promise<Tracing | undefined> {
  return traces ? (await import('./observability/tracing.ts')).startTracing(log) : undefined;
}

/** What the app uses, and a shutdown closes. */
interface Resources {
  readonly store: Store;
  readonly rateLimiter: RateLimiter;
  readonly keyUsage: KeyUsage;
  readonly failedRequests: FailedRequests;
  readonly faults: Faults;
  readonly metrics: Metrics;
  readonly webhooks: Deliveries;
  readonly demoKey: string | undefined;
}

async function openResources(settings: Settings, log: Logger, tracing: Tracing | undefined): Promise<Resources> {
  const faults = createFaults(settings, log);
  const store = await reportWhile('Opening the database', openServiceStore(settings, log, faults.store), log);
  faults.store.endWhen(async () => {
    await store.reserved.rows(sql`SELECT 1`);
    return store.canWrite();
  });
  faults.version.endWhen(() => store.assertSupported().then(() => true));
  for (const pool of store.pools) tracing?.statements(pool);
  const rateLimiter = await openRateLimiter(settings, faults.redis);
  const onWriteError = (data: string) => (err: unknown, isDropped: boolean) => {
    if (isDropped) log.error({ err }, `${data} could not be stored and were dropped`);
    else faults.store.report(err);
  };
  const keyUsage = createKeyUsage(store.db, onWriteError('uses of keys'));
  const failedRequests = createFailedRequests(store.db, onWriteError('failed requests'));
  const demo = openDemo(store, settings.dataDirectory);
  const demoKey = await reportWhile('Opening the demo organization', demo, log);
  startPurging(store.db, settings.retentionDays, (err, what) =>
    log.warn({ err }, `expired ${what} could not be deleted`),
  );
  const metrics = createMetrics(store, faults);
  const webhooks = new Deliveries({
    store,
    allowsPrivate: settings.webhookPrivateNetworks,
    onState: metrics.setWebhooks,
    onAttempt: metrics.countDelivery,
    onPause: ({ id, organization_id }, reason) =>
      log.warn({ webhookId: id, organizationId: organization_id, reason }, 'a webhook was paused'),
    onError: (err) => (isStoreUnavailable(err) ? faults.store.report(err) : log.error({ err }, 'a webhook failed')),
  });
  return { store, rateLimiter, keyUsage, failedRequests, faults, metrics, webhooks, demoKey };
}

function appOptions(settings: Settings, resources: Resources) {
  const { operatorPassword, maxActiveKeys, maxStreams, maxStreamsPerKey, trustProxy, allowedHosts, federation } =
    settings;
  const { store, rateLimiter, keyUsage, failedRequests, faults, metrics, webhooks, demoKey } = resources;
  return {
    store,
    webhooks,
    rateLimiter,
    keyUsage,
    failedRequests,
    trustProxy,
    allowedHosts,
    federation,
    changes: { maxStreams, maxStreamsPerKey, onCount: metrics.setWaits },
    observe: metrics.observe,
    onStoreUnavailable: (error: unknown) =>
      (error instanceof OutdatedVersionError ? faults.version : faults.store).report(error),
    ...(settings.docs ? { docs: { demoKey } } : {}),
    ...(settings.graphiql ? { graphiql: { demoKey } } : {}),
    ...(settings.developer
      ? { developer: { operatorPassword, maxActiveKeys, unavailableSince: () => faults.store.since } }
      : {}),
  };
}

/** Serves metrics on their own port if it is set. */
async function serveMetrics({ metricsPort, host }: Settings, metrics: Metrics): Promise<Server | undefined> {
  if (metricsPort === undefined) return undefined;
  const server = metrics.serve();
  await listen(server, metricsPort, host);
  return server;
}

/** What a shutdown needs. */
interface Running {
  readonly server: Server;
  readonly metricsServer: Server | undefined;
  readonly resources: Resources;
  readonly tracing: Tracing | undefined;
  /** Aborted when the shutdown begins. */
  readonly stopping: AbortController;
  readonly log: Logger;
  /** How long the server continues to listen after SIGTERM. */
  readonly delayMs: number;
}

/** Shuts down gracefully on a stop signal, or after an error that nothing handled. */
function closeOnStop({ server, metricsServer, resources, tracing, stopping, log, delayMs }: Running): void {
  const { store, rateLimiter, keyUsage, failedRequests, webhooks } = resources;
  const timeoutMs = delayMs + DRAIN_TIMEOUT_MS;
  let keepsListening = false;
  const { close } = closeWithGrace({ delay: timeoutMs, logger: false, skip: [...STOP_SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an error');
    else printProgress('Stopping …');
    stopping.abort();
    const storeUsage = () => void Promise.all([keyUsage.flush(), failedRequests.flush()]);
    setTimeout(storeUsage, timeoutMs - STORE_USAGE_BEFORE_END_MS).unref();
    await Promise.all([drain(server, keepsListening ? delayMs : 0), webhooks.close()]);
    metricsServer?.close();
    await Promise.all([keyUsage.close(), failedRequests.close()]);
    await rateLimiter.close();
    await store.close();
    await tracing?.close();
    printProgress('Stopped.');
  });
  onStopSignal((signal) => {
    // Ctrl-C in a terminal, where no load balancer has to notice the shutdown.
    keepsListening = signal !== 'SIGINT';
    void close();
  });
}

/** Creates the token of a link that sets the operator's password, unless there is one. The service works without it. */
async function createTokenForOperator(
  { operatorPassword }: Settings,
  store: Store,
  log: Logger,
): Promise<string | undefined> {
  const operator = { prisma: store.prisma, operatorPassword };
  try {
    // A read-only database, such as a standby, cannot store a link.
    if ((await hasOperatorPassword(operator)) || !(await store.canWrite())) return undefined;
    return await createOperatorLink(operator);
  } catch (err) {
    log.warn({ err }, 'the link that sets the operator password could not be created');
    return undefined;
  }
}

function openRateLimiter(
  { redisUrl, rateLimitPerMinute: limit, instances }: Settings,
  fault: LastingFault,
): RateLimiter | Promise<RateLimiter> {
  return redisUrl ? createRedisRateLimiter({ url: redisUrl, limit, instances, fault }) : createMemoryRateLimiter(limit);
}
