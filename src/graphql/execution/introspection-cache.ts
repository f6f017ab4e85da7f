import { createHash } from 'node:crypto';
import { type GraphQLSchema, print } from 'graphql';
import { LRUCache } from 'lru-cache';
import { memoize } from '../../domain/core/memoize.ts';
import type { RequestArguments } from '../operation/arguments.ts';
import type { NormalField } from '../operation/normal-form.ts';
import type { RawJson } from './raw-json.ts';

/** Results of introspection without errors, by {@link cacheKeyOf}. They depend only on the schema and the selection. */
const resultsOf = memoize(
  (_schema: GraphQLSchema) =>
    new LRUCache<string, RawJson>({ max: 100, maxSize: 2_000_000, sizeCalculation: ({ text }) => text.length }),
);

/** The cached results for an operation. Undefined if it has variables, because its results may depend on them. */
export function introspectionCache(schema: GraphQLSchema, { variables }: RequestArguments) {
  return Object.keys(variables).length > 0 ? undefined : resultsOf(schema);
}

/** A hash of a field with its arguments and selection; it does not depend on spaces and comments in the document. */
export const cacheKeyOf = memoize((field: NormalField) => createHash('sha256').update(textOf(field)).digest('base64'));

function textOf({ responseName, definition, nodes, selections }: NormalField): string {
  const args = nodes[0].arguments?.map(print).join() ?? '';
  const subfields = selections.map(({ fields, error }) => `{${error ? '!' : ''}${fields.map(textOf).join()}}`).join('');
  return `${responseName}:${definition.name}(${args})${subfields}`;
}
