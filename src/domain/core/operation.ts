import type { z } from 'zod';
import { auditRejection } from './audit.ts';
import type { Context, ScopeUse } from './context.ts';
import { type FieldError, isRecordError, MissingScopeError, ServiceError } from './errors.ts';
import { type ResultStorage, runIdempotently } from './idempotency.ts';
import { parseInput } from './parse-input.ts';
import type { Scope } from './scopes.ts';

/**
 * The selected fields of a record, in order: maps the name in the result to the name in the specification, or to a constant
 * text. Only these fields are read.
 */
export type SelectedFields = Readonly<Record<string, string | { readonly constant: string }>>;

/**
 * An action on the records of one organization, called by the APIs.
 *
 * `input` is not validated yet. `fields` selects and renames the fields that a read returns; by default, all fields under
 * the names of the specification.
 *
 * @throws {ServiceError} `missing_scope`, `invalid_request`, and the errors of the operation itself.
 */
export interface Operation<Schema extends z.ZodType, Output> {
  (context: Context, input: unknown, fields?: SelectedFields): Promise<Output>;
  readonly name: string;
  /** The scopes; the caller needs one of them. Empty if it needs none. */
  readonly scopes: readonly Scope[];
  /** Returns the additional scopes that an input requires, for example for a filter. The input is not validated yet. */
  readonly scopesOfInput: (input: unknown) => readonly NeededScope[];
  readonly input: Schema;
}

/** A scope that an input requires. */
export interface NeededScope {
  readonly scope: Scope;
  /** The input field that requires it; absent if every input does. */
  readonly field?: string;
}

/** A call of an operation of any type. */
export interface OperationCall {
  readonly operation: Operation<z.ZodType, unknown>;
  /** As the API passes it: not validated. */
  readonly input: unknown;
}

/** How an operation is defined. */
interface OperationDefinition<Schema extends z.ZodType, Output> {
  /** Recorded in the usage of keys. */
  readonly name: string;
  /** The required scope. If there are several, one is enough, and `run` checks the scope of each record. */
  readonly scope: Scope | readonly Scope[];
  readonly input: Schema;
  /** See {@link Operation}. */
  readonly scopesOfInput?: (input: unknown) => readonly NeededScope[];
  /**
   * Returns errors that depend on the context, such as a phone number that is invalid in the country of the organization.
   * Called only for inputs that the schema rejects, so that all errors are reported together; for others, `run` throws them.
   */
  readonly contextErrors?: (context: Context, input: unknown) => readonly FieldError[];
  readonly run: (context: Context, input: z.output<Schema>, fields?: SelectedFields) => Promise<Output>;
}

/** Defines an operation: it checks the scopes, then parses the input, then calls `run`. */
export function defineOperation<Schema extends z.ZodType, Output>(
  definition: OperationDefinition<Schema, Output>,
): Operation<Schema, Output> {
  const { name, input: schema, scopesOfInput = () => [], contextErrors, run } = definition;
  const scopes = [definition.scope].flat() as readonly Scope[];
  const operation = async (context: Context, input: unknown, fields?: SelectedFields): Promise<Output> => {
    requireScope(context, name, scopes);
    for (const { scope, field } of scopesOfInput(input)) requireScope(context, name, [scope], field);
    const parsed = parseInput(schema, input, {
      contextErrors: contextErrors && ((invalid) => contextErrors(context, invalid)),
      echoesValues: true,
    });
    return run(context, parsed, fields);
  };
  Object.defineProperty(operation, 'name', { value: name });
  return Object.assign(operation, { scopes, scopesOfInput, input: schema });
}

/** How an operation that changes records is defined: `run` also calls `auditWrite` in the transaction of the write. */
interface WriteDefinition<Schema extends z.ZodType, Output> extends OperationDefinition<Schema, Output> {
  readonly scope: Scope;
  /** Converts the result that is stored with an Idempotency-Key. Default: it is stored unchanged. */
  readonly storage?: ResultStorage<Output>;
  /**
   * The record that the input names, to audit rejected writes: the prefix of its ids, and its id. For a new form response,
   * its form. Absent if the input names none.
   */
  readonly record?: { readonly prefix: string; idOf(input: z.output<Schema>): string };
}

/**
 * Defines an operation that changes records. It is recorded in the audit log (as are its errors about records), and is
 * executed at most once for each Idempotency-Key.
 */
export function defineWrite<Schema extends z.ZodType, Output>(
  definition: WriteDefinition<Schema, Output>,
): Operation<Schema, Output> {
  const { name, run, record, storage } = definition;
  const audited = async (context: Context, input: z.output<Schema>): Promise<Output> => {
    try {
      return await context.db.savepoint(() => run(context, input));
    } catch (error) {
      if (error instanceof ServiceError && isRecordError(error.code)) {
        await auditRejection(context, name, error.code, record && { prefix: record.prefix, id: record.idOf(input) });
      }
      throw error;
    }
  };
  return defineOperation({
    ...definition,
    run: (context, input) => {
      if (!context.idempotencyKey) return audited(context, input);
      const write = (inTransaction: Context) => audited(inTransaction, input);
      return runIdempotently(context, context.idempotencyKey, { operation: name, input, write, storage });
    },
  });
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

const scopeUses = new Map<string, ScopeUse>();

/** Returns the same object for the same operation and scope, so that uses can be counted by identity. */
function scopeUseOf(operation: string, scope: Scope): ScopeUse {
  const key = `${operation} ${scope}`;
  const use = scopeUses.get(key) ?? { operation, scope };
  scopeUses.set(key, use);
  return use;
}
