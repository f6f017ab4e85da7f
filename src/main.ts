import './production.ts';
import { InvalidSettingsError, readSettings, type Settings } from './settings.ts';

// Loading the service takes most of the time of a start, so it is loaded last: help and invalid settings do not need it.
if (process.argv.length > 2) (await import('./server/arguments.ts')).parseArguments(process.argv.slice(2));
const settings = settingsOrExit();
start().catch(async (error: unknown) =>
  fail((await import('./server/start-failure.ts')).describeStartFailure(error, settings)),
);

async function start(): Promise<void> {
  return (await import('./start-service.ts')).startService(settings);
}

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (error instanceof InvalidSettingsError) fail(error.message);
    throw error;
  }
}

function fail(message: string): never {
  process.stderr.write(`The service cannot start.\n${message}\n`);
  process.exit(1);
}
