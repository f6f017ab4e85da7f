import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REPOSITORY, WORKSPACE } from './tool.ts';

/** The published description. */
export const DESCRIPTION = join(REPOSITORY, 'openapi.json');

/** The description in OpenAPI 3.0, as it is built. */
export const DESCRIPTION_3_0 = join(REPOSITORY, 'dist/openapi-3.0.json');

/** A running Prism server. */
export interface Prism {
  /** Its URL, in place of `/v1`. */
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts Prism as a proxy of a REST API. It rejects requests that violate the description, and replaces responses that
 * violate it by a 500, both as `application/problem+json`, which the service never sends.
 *
 * @param upstream the URL of the API, including `/v1`.
 */
export function startProxy(upstream: string): Promise<Prism> {
  return startPrism('proxy', DESCRIPTION, upstream, '--errors');
}

/** Starts Prism as a mock of the REST API, which responds with the examples of the description. */
export function startMock(): Promise<Prism> {
  return startPrism('mock', DESCRIPTION);
}

async function startPrism(...args: string[]): Promise<Prism> {
  const prism = spawn(join(WORKSPACE, 'node_modules/.bin/prism'), [...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(prism, 'exit');
  let output = '';
  for (const stream of [prism.stdout, prism.stderr]) stream.on('data', (chunk) => (output += chunk));
  const address = await new Promise<string>((resolve, reject) => {
    prism.stdout.on('data', () => {
      const [, found] = /Prism is listening on (http:\/\/[\d.:]+)/.exec(output) ?? [];
      if (found) resolve(found);
    });
    void ended.then(([code]) => reject(new Error(`Prism ended with ${code}:\n${output}`)));
  });
  const stop = async () => {
    prism.kill();
    await ended;
  };
  return { address, stop };
}
