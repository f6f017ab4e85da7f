import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ended, printed } from './child.ts';
import { REPOSITORY, WORKSPACE } from './tool.ts';

/** The description that integrators have. */
export const DESCRIPTION = join(REPOSITORY, 'openapi.json');

/** Prism, as it runs. */
export interface Prism {
  /** Where it listens; it stands in the place of `/v1`. */
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts Prism in front of a REST API. A request that the description does not allow is not passed on, and an
 * answer that it does not allow becomes a 500: both as `application/problem+json`, which the service never sends.
 *
 * @param upstream where the API is, with its `/v1`.
 */
export function startProxy(upstream: string): Promise<Prism> {
  return startPrism('proxy', DESCRIPTION, upstream, '--errors');
}

/** Starts Prism in place of the REST API: it answers with the examples of the description. */
export function startMock(): Promise<Prism> {
  return startPrism('mock', DESCRIPTION);
}

async function startPrism(...args: string[]): Promise<Prism> {
  const prism = spawn(join(WORKSPACE, 'node_modules/.bin/prism'), [...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => ended(prism);
  try {
    const find = (text: string) => /Prism is listening on (http:\/\/[\d.:]+)/.exec(text)?.[1];
    return { address: await printed(prism, 'Prism', find), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
