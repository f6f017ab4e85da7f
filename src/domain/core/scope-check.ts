import type { Context, ScopeUse } from './context.ts';
import { MissingScopeError } from './errors.ts';
import type { Scope } from './scopes.ts';

/**
 * Checks that the caller has a scope, and records its use. If there are several, one is enough, and no use is recorded;
 * if there is none, every key is accepted.
 *
 * @param operation the name of the operation that needs it.
 * @param field see {@link MissingScopeError}.
 * @throws {MissingScopeError}
 */
export function requireScope(context: Context, operation: string, scopes: readonly Scope[], field?: string): void {
  if (scopes.length > 0 && !scopes.some((scope) => context.caller.scopes.has(scope))) {
    throw new MissingScopeError(scopes, field);
  }
  const [scope, ...others] = scopes;
  if (scope && others.length === 0) context.scopeUses?.add(scopeUseOf(operation, scope));
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
