import type { Logger } from 'pino';
import type { Settings } from '../settings.ts';
import type { EmbeddedOptions } from '../store/embedded/open-embedded.ts';

/** About five minutes of restarts, most of which are 30 s apart. */
const MAX_RESTARTS = 15;

/**
 * Returns the options of the embedded database for the service: events are logged, and the database restarts after
 * failures. After too many failed restarts, `exit` is called, so that the supervisor of the process can react.
 */
export function embeddedOptions(settings: Settings, log: Logger, exit: (code: number) => void): EmbeddedOptions {
  const { dataDirectory: directory, embeddedStatementTimeoutMs, embeddedIdleInTransactionTimeoutMs } = settings;
  return {
    statementLimitMs: embeddedStatementTimeoutMs,
    idleInTransactionMs: embeddedIdleInTransactionTimeoutMs,
    maxRestarts: MAX_RESTARTS,
    onEvent(event) {
      switch (event.type) {
        case 'failed': {
          const { reason, retryMs } = event;
          log.error({ directory, reason, retryMs }, 'the embedded database failed; restarting');
          return;
        }
        case 'gaveUp':
          log.fatal({ directory, reason: event.reason }, 'the embedded database cannot be restarted; stopping');
          exit(1);
          return;
        case 'recovered':
          log.warn({ directory }, 'the embedded database is available again');
          return;
        case 'idleInTransaction':
          log.warn(
            { directory },
            'an idle transaction was rolled back and its connection closed, because others waited',
          );
      }
    },
  };
}
