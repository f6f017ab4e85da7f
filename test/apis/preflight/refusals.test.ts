import { GraphQLError, getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import { invalidRequest } from '../../../src/domain/core/errors.ts';
import { MAX_LISTED_ERRORS } from '../../../src/domain/core/limits.ts';
import { normalize } from '../../../src/graphql/operation/normal-form.ts';
import { type CheckedField, refusalsOf } from '../../../src/graphql/preflight/check.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { times } from '../../support/data.ts';

it('adds a path only to the errors that a preflight lists', () => {
  const operation = getOperationAST(parse('{ nodes(ids: []) { id } }'));
  const [field] = operation ? normalize({ schema, operation, fragments: new Map() }, {}).selection.fields : [];
  const items = times(6_000, (n) => invalidRequest({ field: `ids.${n}`, message: 'is invalid' }));
  const result = { calls: [], needed: new Set(), missing: new Set(), refusal: items[0], error: items[0], items };
  const checked = { field, path: ['nodes'], parent: undefined, readTypes: new Set(), result } as CheckedField;
  const refusals = refusalsOf({ fields: [checked], errors: [] });
  expect(refusals).toHaveLength(items.length);
  const located = refusals.filter((refusal) => refusal instanceof GraphQLError);
  expect(located.map(({ path }) => path)).toEqual(times(MAX_LISTED_ERRORS, () => ['nodes']));
});
