import closeWithGrace from 'close-with-grace';
import { createApp } from './app.ts';
import { openDemo } from './demo/open-demo.ts';
import { forgetOldOutcomes } from './domain/idempotency.ts';
import { createKeyUsage } from './gate/key-usage.ts';
import { createMemoryRateLimiter, createRedisRateLimiter } from './gate/rate-limiter.ts';
import { createHttpServer, drain, listen } from './http-server.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { InvalidSettings, readSettings, type Settings } from './settings.ts';
import { DirectoryInUse } from './store/directory-lock.ts';
import { openStore } from './store/store.ts';
import { welcome } from './welcome.ts';

/** How often the outcomes of idempotent writes that no longer count are forgotten. */
const FORGET_EVERY_MS = 3_600_000;

/** How long requests in flight may take to be answered after a signal to stop. */
const GRACE_MS = 4_500;

/** A command of the command line may hold the embedded database for a moment. */
const COMMAND_MS = 5_000;

async function start(settings: Settings): Promise<void> {
  const log = createLogger(settings.logLevel);
  const store = await openStore({
    ...settings,
    waitMs: COMMAND_MS,
    onMigration: (name) => log.info({ migration: name }, 'migration applied'),
  });
  const rateLimiter = settings.redisUrl
    ? await createRedisRateLimiter({
        url: settings.redisUrl,
        limit: settings.rateLimitPerMinute,
        onError: (error) => log.warn({ err: error }, 'Redis out of reach; this instance counts by itself'),
      })
    : createMemoryRateLimiter(settings.rateLimitPerMinute);
  const keyUsage = createKeyUsage(store.db, (error) => log.warn({ err: error }, 'use of keys not noted yet'));
  const demoKey = await openDemo(store, settings.dataDirectory);

  const metrics = createMetrics(store.pool);
  let draining = false;
  setInterval(
    () => forgetOldOutcomes(store.db).catch((err) => log.warn({ err }, 'old outcomes kept')),
    FORGET_EVERY_MS,
  ).unref();
  const app = createApp({
    store,
    rateLimiter,
    keyUsage,
    trustProxy: settings.trustProxy,
    log,
    observe: metrics.observe,
    isDraining: () => draining,
    ...(settings.graphiql ? { graphiql: { demoKey } } : {}),
  });
  const server = createHttpServer(app);
  const address = await listen(server, settings.port, settings.host);
  const metricsServer = settings.metricsPort === undefined ? undefined : metrics.serve();
  if (metricsServer) await listen(metricsServer, settings.metricsPort ?? 0, settings.host);
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an error');
    draining = true;
    await drain(server);
    metricsServer?.close();
    await keyUsage.close();
    await rateLimiter.close();
    await store.close();
  });
  process.stdout.write(
    welcome({
      address,
      demoKey,
      graphiql: settings.graphiql,
      store: store.embedded ? settings.dataDirectory : 'PostgreSQL',
    }),
  );
}

start(await settingsOrExit()).catch((error: unknown) => fail(explain(error)));

async function settingsOrExit(): Promise<Settings> {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (error instanceof InvalidSettings) fail(error.message);
    throw error;
  }
}

function explain(error: unknown): string {
  if (error instanceof DirectoryInUse) {
    return `${error.message}. Stop it, or set DATA_DIR (or DATABASE_URL) to another place.`;
  }
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Stop what listens there, or set PORT to another one.`;
  return process.env.LOG_LEVEL === 'debug' ? (stack ?? message) : message || String(code);
}

function fail(message: string): never {
  process.stderr.write(`The service cannot start.\n${message}\n`);
  process.exit(1);
}
