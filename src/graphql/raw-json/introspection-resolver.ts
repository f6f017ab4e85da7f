import {
  type ExecutionResult,
  executeSync,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphQLContext } from '../data/context.ts';
import { RawJson } from '../data/raw-json.ts';
import type { NormalField } from '../document/normal-form.ts';
import { introspectionNodeOf, normalFieldOf } from './executable-document.ts';

/** Returns the resolver of the leaf of `__schema` or `__type`. Its value describes `schema`, the public schema. */
export function introspectionResolver(schema: GraphQLSchema): GraphQLFieldResolver<unknown, GraphQLContext> {
  return (_source, _args, context, info) => {
    const field = normalFieldOf(info) as NormalField;
    const { data, errors: [first, ...others] = [] } = introspect(schema, field, info);
    const value = data?.[field.responseName] ?? null;
    for (const error of others) context.size.addFieldError(() => error);
    if (first && value === null) throw first;
    if (first) context.size.addFieldError(() => first);
    return value;
  };
}

/** The maximum length of all cached results: about 20 results of the standard query, of 200,000 characters each. */
const MAX_CACHED_CHARACTERS = 4_000_000;

/** Results that do not depend on variables, as JSON. */
const cachedResults = new LRUCache<NormalField, ExecutionResult>({ maxSize: MAX_CACHED_CHARACTERS });

function introspect(schema: GraphQLSchema, field: NormalField, info: GraphQLResolveInfo): ExecutionResult {
  const cached = cachedResults.get(field);
  if (cached) return cached;
  const selectionSet = { kind: Kind.SELECTION_SET, selections: [introspectionNodeOf(field)] } as const;
  const operation = { ...info.operation, selectionSet };
  const result = executeSync({
    schema,
    document: { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(info.fragments)] },
    variableValues: info.variableValues,
  });
  const value = result.data?.[field.responseName];
  if (value == null) return result;
  const json = JSON.stringify(value);
  const raw = { ...result, data: { [field.responseName]: new RawJson(json) } };
  if (!info.operation.variableDefinitions?.length && !result.errors)
    cachedResults.set(field, raw, { size: json.length });
  return raw;
}
