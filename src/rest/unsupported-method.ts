import type { ServiceError } from '../domain/core/errors.ts';
import { methodNotAllowed } from '../http/response/other-methods.ts';
import { shapeOf } from './input.ts';
import { routes } from './routes.ts';

/**
 * Returns the error for a method that a path does not support. Its message names the nearest request that writes.
 *
 * @param allow the value of the header `Allow`.
 * @param path the path of the routes: `/members/{object_id}`.
 */
export function unsupportedMethod(method: string, allow: string, path: string): ServiceError {
  const [, resource = ''] = path.split('/');
  const writes = routes.filter((route) => route.method !== 'GET' && route.path.split('/')[1] === resource);
  const near = writes.filter((route) => route.path.startsWith(path));
  const write = near.find((route) => route.method === 'PATCH') ?? near[0] ?? writes[0];
  const { body } = write?.input.parts(write.operation.input) ?? {};
  const fields = Object.keys(body ? shapeOf(body) : {}).join(', ');
  const use = write?.method === 'PATCH' || method === 'POST' ? 'use' : 'the only request that writes is';
  const hint = write
    ? `${use} ${write.method} /v1${write.path} with ${fields} in the body`
    : `${resource} can only be read`;
  const canDelete = routes.some((route) => route.method === 'DELETE');
  const deletion =
    method === 'DELETE' && !canDelete && path !== '/members/{object_id}/tags' ? 'nothing can be deleted; ' : '';
  return methodNotAllowed(method, allow, `/v1${path}`, `; ${deletion}${hint}`);
}
