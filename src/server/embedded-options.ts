import type { Logger } from 'pino';
import type { EmbeddedOptions } from '../store/embedded/open-embedded.ts';

/** Longer than any statement of a request. */
const STATEMENT_LIMIT_MS = 15_000;

/** Returns the options of the embedded database for the service: it restarts after failures, and logs events. */
export function embeddedOptions(directory: string, log: Logger): Partial<EmbeddedOptions> {
  return {
    statementLimitMs: STATEMENT_LIMIT_MS,
    restarts: true,
    onEvent(event) {
      if (event.type === 'failed') {
        const { reason, retryMs } = event;
        log.error({ directory, reason, retryMs }, 'the embedded database failed; restarting');
      } else if (event.type === 'recovered') log.warn({ directory }, 'the embedded database is available again');
      else {
        const message = 'an idle transaction was rolled back and its connection closed, because others waited';
        log.warn({ directory }, message);
      }
    },
  };
}
