// The process of `prepareFirstStart`.
import '../production.ts';
import { openDemo } from '../demo/open-demo.ts';
import { createFaults } from '../observability/lasting-fault.ts';
import { createLogger } from '../observability/logger.ts';
import { readSettings } from '../settings.ts';
import { openServiceStore } from './open-service-store.ts';
import { describeStartFailure } from './start-failure.ts';

// The parent has ended.
process.once('disconnect', () => process.exit(1));

const settings = readSettings(process.env);
try {
  const log = createLogger(settings.logLevel);
  const store = await openServiceStore(settings, log, createFaults(settings, log).store);
  await openDemo(store, settings.dataDirectory);
  await store.close();
  process.exit(0);
} catch (error) {
  process.send?.(describeStartFailure(error, settings), () => process.exit(1));
}
