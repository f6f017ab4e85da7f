import type { z } from 'zod';
import type { Fields } from '../lists/projection.ts';
import { auditRefusal } from './audit.ts';
import type { Context } from './context.ts';
import { type FieldError, firstErrors, invalidRequest, ServiceError, shortened } from './errors.ts';
import { once } from './idempotency.ts';
import type { Scope } from './scopes.ts';
import { refusedFieldOf } from './unknown-fields.ts';

/**
 * A rule-bound action on one organization's records, called by both APIs.
 *
 * `input` is what the caller sent, unchecked; a function is called for it after the scope check, so that
 * a caller without the scope learns that first, whatever the input is. `fields` says which fields a read is
 * to give, and under which names: all of them under the specification's names, unless told.
 *
 * @throws {ServiceError} `missing_scope`, `invalid_request`, and what the operation itself refuses.
 */
export interface Operation<Schema extends z.ZodType, Output> {
  (context: Context, input: unknown, fields?: Fields): Promise<Output>;
  /** The scopes of which it needs one. */
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly input: Schema;
}

/**
 * Makes an operation: scope, then input, then `run`. There is no other way to make one.
 *
 * @param definition.scope that it needs. Of several it needs one, and `run` checks which of them each record needs.
 */
export function defineOperation<Schema extends z.ZodType, Output>(definition: {
  readonly scope: Scope | readonly Scope[];
  readonly input: Schema;
  readonly run: (context: Context, input: z.output<Schema>, fields?: Fields) => Promise<Output>;
}): Operation<Schema, Output> {
  const { input: schema, run } = definition;
  const scopes = [definition.scope].flat() as [Scope, ...Scope[]];
  const operation = async (context: Context, input: unknown, fields?: Fields): Promise<Output> => {
    requireScope(context, ...scopes);
    const sent = typeof input === 'function' ? await input() : input;
    return run(context, parseInput(schema, sent), fields);
  };
  return Object.assign(operation, { scopes, input: schema });
}

/** The refusals by which a write ends that was allowed and understood; they are audited. */
const AUDITED_REFUSALS: readonly string[] = [
  ...['not_found', 'member_exists', 'email_in_use', 'org_limit_reached', 'form_closed'],
];

/**
 * Makes an operation that changes records: begun when the key is confirmed, audited, and carried out once for
 * each Idempotency-Key.
 * `run` notes the write by `auditWrite` in the statement or transaction that writes. `answer` adds to its result what
 * the input alone says: that is not stored with an Idempotency-Key, because a repetition says it again. `record` is
 * the prefix and the id of the record that the input names, for the audit of refusals; leave it out where the write makes
 * the record.
 */
export function defineWrite<Schema extends z.ZodType, Output>(definition: {
  readonly name: string;
  readonly scope: Scope;
  readonly input: Schema;
  readonly run: (context: Context, input: z.output<Schema>) => Promise<Output>;
  readonly answer?: (result: Output, input: z.output<Schema>) => Output;
  readonly record?: { readonly prefix: string; idOf(input: z.output<Schema>): string };
}): Operation<Schema, Output> {
  const { name, run, record, answer = (result) => result } = definition;
  const audited = async (context: Context, input: z.output<Schema>): Promise<Output> => {
    try {
      return await context.db.savepoint(() => run(context, input));
    } catch (error) {
      if (error instanceof ServiceError && AUDITED_REFUSALS.includes(error.code)) {
        await auditRefusal(context, name, error.code, record && { prefix: record.prefix, id: record.idOf(input) });
      }
      throw error;
    }
  };
  return defineOperation({
    ...definition,
    run: async (context, input) => {
      await context.confirmed;
      const result = context.idempotencyKey
        ? await once(context, context.idempotencyKey, name, input, (inside) => audited(inside, input))
        : await audited(context, input);
      return answer(result, input);
    },
  });
}

/**
 * Checks the scope, and notes that the request used it. Of several scopes one is enough; that is not noted.
 *
 * @throws {ServiceError} `missing_scope`, naming the scopes.
 */
export function requireScope(context: Context, ...scopes: readonly [Scope, ...Scope[]]): void {
  if (!scopes.some((scope) => context.caller.scopes.has(scope))) {
    throw new ServiceError('missing_scope', missingScope(scopes));
  }
  if (scopes.length === 1) context.usedScopes?.add(scopes[0]);
}

/** What `missing_scope` says. */
export function missingScope([scope, ...others]: readonly Scope[]): string {
  if (others.length === 0) return `This API key lacks the scope ${scope}`;
  return `This API key has none of the scopes ${[scope, ...others].join(', ')}`;
}

/** @throws {ServiceError} `invalid_request` with one detail for each wrong field; as many as are listed. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  // Reporting the input makes parsing ten times slower, and only errors need it.
  const { error = result.error } = schema.safeParse(sent, { reportInput: true, error: defaultMessage });
  throw invalidRequest(...firstErrors(error.issues.flatMap((issue) => fieldErrors(schema, issue))));
}

function fieldErrors(schema: z.ZodType, issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: shortened([...path, key].join('.')),
      message: refusedFieldOf(schema, path, key) ?? 'unknown field',
    }));
  }
  const field = shortened(path.join('.')) || 'body';
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  return [{ field, message: isMissing ? 'required' : issue.message }];
}

/** The message for a value of the wrong type or an unknown value, where the schema has none of its own. */
function defaultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`;
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : undefined;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
