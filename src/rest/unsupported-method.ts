import type { ServiceError } from '../domain/core/errors.ts';
import { methodNotAllowed } from '../http/response/other-methods.ts';
import { shapeOf } from './input.ts';
import { type Route, routes } from './routes.ts';

/**
 * Returns the error for a method that a path does not support. Its message names the nearest request that writes, or says
 * that there is none.
 *
 * @param allow the value of the header `Allow`.
 * @param path the path of the routes: `/members/{object_id}`.
 */
export function unsupportedMethod(method: string, allow: string, path: string): ServiceError {
  const [, resource = ''] = path.split('/');
  const writes = routes.filter((route) => route.method !== 'GET' && route.path.split('/')[1] === resource);
  const near = writes.filter((route) => route.path.startsWith(path));
  const write = near.find((route) => route.method === 'PATCH') ?? near[0] ?? writes[0];
  const deletion = method === 'DELETE' && !path.endsWith('/tags') ? 'nothing can be deleted; ' : '';
  return methodNotAllowed(method, allow, `/v1${path}`, `; ${deletion}${hintFor(method, resource, write)}`);
}

function hintFor(method: string, resource: string, write: Route | undefined): string {
  if (!write) return `${resource} can only be read`;
  const isMeant = write.method === 'PATCH' || method === 'POST';
  return isMeant ? `use ${describeWrite(write)}` : `the only request that writes is ${describeWrite(write)}`;
}

/** The maximum number of fields of a body that a message names. */
const MAX_LISTED_FIELDS = 3;

/** Returns a request with the fields of its body: `PATCH /v1/members/{object_id}/tags with add, remove in the body`. */
function describeWrite({ method, path, input, operation }: Route): string {
  const { body } = input.parts(operation.input);
  const fields = Object.keys(body ? shapeOf(body) : {});
  const listed = fields.slice(0, MAX_LISTED_FIELDS).concat(fields.length > MAX_LISTED_FIELDS ? '…' : []);
  return `${method} /v1${path} with ${listed.join(', ')} in the body`;
}
