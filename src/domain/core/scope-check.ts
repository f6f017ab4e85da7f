import type { Context, ScopeUse } from './context.ts';
import { ServiceError } from './errors.ts';
import type { Scope } from './scopes.ts';

/**
 * Checks that the caller has a scope, and records its use. If there are several, one is enough, and no use is recorded.
 *
 * @param operation the name of the operation that needs it.
 * @throws {ServiceError} `missing_scope`, which lists the scopes.
 */
export function requireScope(context: Context, operation: string, ...scopes: readonly [Scope, ...Scope[]]): void {
  if (!scopes.some((scope) => context.caller.scopes.has(scope))) {
    throw new ServiceError('missing_scope', missingScope(scopes));
  }
  if (scopes.length === 1) context.scopeUses?.add(scopeUseOf(operation, scopes[0]));
}

const scopeUses = new Map<string, Map<Scope, ScopeUse>>();

/** Returns the same object for the same operation and scope, so that uses can be counted by identity. */
function scopeUseOf(operation: string, scope: Scope): ScopeUse {
  let usesOfOperation = scopeUses.get(operation);
  if (!usesOfOperation) {
    usesOfOperation = new Map();
    scopeUses.set(operation, usesOfOperation);
  }
  let use = usesOfOperation.get(scope);
  if (!use) {
    use = { operation, scope };
    usesOfOperation.set(scope, use);
  }
  return use;
}

/** Returns the message of a `missing_scope` error. */
export function missingScope([scope, ...others]: readonly Scope[]): string {
  if (others.length === 0) return `This API key lacks the scope ${scope}`;
  return `This API key has none of the scopes ${[scope, ...others].join(', ')}`;
}
