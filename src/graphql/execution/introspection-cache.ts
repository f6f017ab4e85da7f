import { createHash } from 'node:crypto';
import { type GraphQLSchema, print } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestArguments } from '../operation/arguments.ts';
import type { NormalField } from '../operation/normal-form.ts';
import type { RawJson } from './raw-json.ts';

type Results = LRUCache<string, RawJson>;

/** Results of introspection by {@link keyOf}. They depend only on the schema and the selection. */
const resultsBySchema = new WeakMap<GraphQLSchema, Results>();

const keys = new WeakMap<NormalField, string>();

/**
 * The cached result of an introspection field. Undefined if the operation has variables, because the result may depend
 * on them.
 */
export function cachedIntrospection(
  field: NormalField,
  schema: GraphQLSchema,
  args: RequestArguments,
): RawJson | undefined {
  return hasVariables(args) ? undefined : resultsBySchema.get(schema)?.get(keyOf(field));
}

/** Caches the result of an introspection field without errors, unless the operation has variables. */
export function cacheIntrospection(
  field: NormalField,
  schema: GraphQLSchema,
  args: RequestArguments,
  result: RawJson,
): void {
  if (hasVariables(args)) return;
  let results = resultsBySchema.get(schema);
  if (!results) {
    results = new LRUCache({
      max: 100,
      maxSize: 2_000_000,
      sizeCalculation: ({ text }) => text.length,
    });
    resultsBySchema.set(schema, results);
  }
  results.set(keyOf(field), result);
}

function hasVariables({ variables }: RequestArguments): boolean {
  return Object.keys(variables).length > 0;
}

/** A hash of a field with its arguments and selection; it does not depend on spaces and comments in the document. */
function keyOf(field: NormalField): string {
  let key = keys.get(field);
  if (key === undefined) {
    key = createHash('sha256').update(textOf(field)).digest('base64');
    keys.set(field, key);
  }
  return key;
}

function textOf({ responseName, definition, nodes, selections }: NormalField): string {
  const args = nodes[0].arguments?.map(print).join() ?? '';
  const subfields = selections.map(({ fields, error }) => `{${error ? '!' : ''}${fields.map(textOf).join()}}`).join('');
  return `${responseName}:${definition.name}(${args})${subfields}`;
}
