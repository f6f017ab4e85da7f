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

const scopeUses = new Map<string, ScopeUse>();

/** Returns the same object for the same operation and scope, so that uses can be counted by identity. */
function scopeUseOf(operation: string, scope: Scope): ScopeUse {
  const key = `${operation} ${scope}`;
  const use = scopeUses.get(key) ?? { operation, scope };
  scopeUses.set(key, use);
  return use;
}
