import { z } from 'zod';
import type { Context } from '../core/context.ts';
import { invalidRequest } from '../core/errors.ts';
import type { NeededScope } from '../core/operation.ts';
import type { Scope } from '../core/scopes.ts';
import { unvalidatedField } from '../core/unvalidated-field.ts';
import type { JsonRecord } from '../records/json-record.ts';
import { alternatives } from '../values/words.ts';

/** Related records that a read can include in its records. In GraphQL, they are fields. */
interface Inclusion {
  readonly scope: Scope;
  /** Returns the related records of each of several records, in one statement. */
  readonly read: (context: Context, ids: readonly string[]) => Promise<readonly (readonly JsonRecord<unknown>[])[]>;
}

/** The inclusions of an operation by the names of the fields that they add. */
export type Inclusions = Readonly<Record<string, Inclusion>>;

/** The input field with the names of the related records to include. */
export function includeField(inclusions: Inclusions) {
  const names = Object.keys(inclusions);
  const error = `can only be ${alternatives(names)}; the GraphQL API at /graphql reads other related records in one request`;
  return z.array(z.enum(names, { error })).nullish();
}

/** Returns the scopes that an unvalidated input needs for what it includes. */
export function scopesOfInclude(inclusions: Inclusions, input: unknown): NeededScope[] {
  const names = unvalidatedField(input, 'include');
  if (!Array.isArray(names)) return [];
  return Object.entries(inclusions).flatMap(([name, { scope }]) =>
    names.includes(name) ? { scope, field: 'include' } : [],
  );
}

/** Several records can have the same large related record, which is read once but repeated in the response. */
const MAX_INCLUDED_CHARACTERS = 10_000_000;

/**
 * Adds related records to the JSON of records.
 *
 * @param names those to include.
 * @throws {ServiceError} `invalid_request` if the result would be too large.
 */
export async function includeRelated(
  context: Context,
  { inclusions, names }: { readonly inclusions: Inclusions; readonly names: readonly string[] },
  records: readonly JsonRecord<unknown>[],
): Promise<readonly string[]> {
  let json = records.map((record) => record.json);
  if (records.length === 0) return json;
  const ids = records.map((record) => (record.parse() as { readonly id: string }).id);
  for (const name of new Set(names)) {
    const related = await inclusions[name]?.read(context, ids);
    json = json.map((text, index) => {
      const added = (related?.[index] ?? []).map((record) => record.json).join(',');
      return `${text.slice(0, -1)},"${name}":[${added}]}`;
    });
  }
  if (json.reduce((sum, { length }) => sum + length, 0) > MAX_INCLUDED_CHARACTERS) {
    throw invalidRequest({ field: 'include', message: 'would make the response too large; use a smaller limit' });
  }
  return json;
}
