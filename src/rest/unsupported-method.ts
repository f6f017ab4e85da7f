import type { ServiceError } from '../domain/core/errors.ts';
import { methodNotAllowed } from '../http/response/other-methods.ts';
import { shapeOf } from './input.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { insteadOf } from './unknown-path.ts';

/**
 * Returns the error for a method that a path does not support. Its message names the request that does what was meant.
 *
 * @param allow the value of the header `Allow`.
 * @param path the path of the routes: `/members/{object_id}`.
 * @param sent the path of the request: `/v1/members/batch`.
 */
export function unsupportedMethod(method: string, allow: string, path: string, sent: string): ServiceError {
  return methodNotAllowed(method, allow, `/v1${path}`, `; ${insteadOf(sent) ?? useInstead(method, path)}`);
}

function useInstead(method: string, path: string): string {
  const [, resource = ''] = path.split('/');
  const isTags = path === '/members/{object_id}/tags';
  if (method === 'DELETE' && !isTags && !routes.some((route) => route.method === 'DELETE')) {
    return 'nothing can be deleted';
  }
  const writes = routes.filter((route) => route.method !== 'GET' && route.path.split('/')[1] === resource);
  const create = writes.find((route) => route.method === 'POST' && route.path === `/${resource}`);
  const change = writes.find((route) => route.method === 'PATCH' && route.path.startsWith(path));
  if (path === create?.path && change) {
    return `use POST /v1${create.path} to create a record, or PATCH /v1${change.path} to change one`;
  }
  const write = change ?? writes.find((route) => route.path.startsWith(path)) ?? writes[0];
  if (!write) return `${resource} can only be read`;
  if (method === 'POST' && path === `/${resource}`) {
    return `${resource} cannot be created; the only request that writes is ${write.method} /v1${write.path}`;
  }
  const use = write === change || method === 'POST' ? 'use' : 'the only request that writes is';
  return `${use} ${write.method} /v1${write.path} with ${bodyFields(write)} in the body`;
}

function bodyFields({ input, operation }: Route): string {
  const { body } = input.parts(operation.input);
  return Object.keys(body ? shapeOf(body) : {}).join(', ');
}
