import type { Context, ScopeUse } from './context.ts';
import { ServiceError } from './errors.ts';
import type { Scope } from './scopes.ts';

/** `missing_scope`. Each API replaces the message by one that says under its own names what needs the scope. */
export class MissingScopeError extends ServiceError {
  /** @param field the input field that needs it; undefined if the whole operation does. */
  constructor(
    readonly scopes: readonly Scope[],
    readonly field?: string,
  ) {
    super('missing_scope', missingScope(scopes));
  }
}

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

/** Returns the message of a `missing_scope` error. @param what needs the scope, or one of the scopes. */
export function missingScope(scopes: readonly Scope[], what = 'This operation'): string {
  if (scopes.length === 1) return `${what} needs the scope ${scopes[0]}, which this API key lacks`;
  return `${what} needs one of the scopes ${scopes.join(', ')}, all of which this API key lacks`;
}
