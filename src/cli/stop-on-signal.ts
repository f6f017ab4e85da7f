import type { Cli } from './cli.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first Ctrl-C or SIGTERM stops after the current batch. A second one ends the process immediately, and the current
 * batch is rolled back.
 */
export function stopOnSignal(cli: Cli): { isRequested(): boolean; end(): void } {
  let isRequested = false;
  const listen = () => {
    end();
    isRequested = true;
    if (!cli.json) cli.err('\nstopping after the current batch\n');
  };
  const end = () => {
    for (const signal of SIGNALS) process.off(signal, listen);
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return { isRequested: () => isRequested, end };
}
