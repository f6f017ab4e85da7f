import type { Logger } from 'pino';
import type { Settings } from '../settings.ts';
import type { EmbeddedOptions } from '../store/embedded/open-embedded.ts';

/** About five minutes, because most of them are 30 s apart. */
const MAX_RESTARTS = 15;

/**
 * How the service runs its embedded database: what happens to it is logged, and it is started again when it fails.
 * When that fails too often, the process ends, so that whatever runs the service learns of it.
 */
export function runEmbedded(settings: Settings, log: Logger, exit: (code: number) => void): EmbeddedOptions {
  const { dataDirectory: directory, embeddedStatementTimeoutMs, embeddedIdleInTransactionTimeoutMs } = settings;
  return {
    statementLimitMs: embeddedStatementTimeoutMs,
    idleInTransactionMs: embeddedIdleInTransactionTimeoutMs,
    maxRestarts: MAX_RESTARTS,
    onEvent(event) {
      switch (event.type) {
        case 'failed': {
          const { reason, retryMs } = event;
          log.error({ directory, reason, retryMs }, 'the embedded database failed and is started again');
          return;
        }
        case 'gaveUp':
          log.fatal({ directory, reason: event.reason }, 'the embedded database cannot be started again; stopping');
          exit(1);
          return;
        case 'recovered':
          log.warn({ directory }, 'the embedded database is available again');
          return;
        case 'idleInTransaction':
          log.warn({ directory }, 'a transaction was idle while others waited: rolled back, its connection closed');
      }
    },
  };
}
