import type { z } from 'zod';
import { empty, type Sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { defineOperation, type Operation } from '../core/operation.ts';
import type { Scope } from '../core/scopes.ts';
import { listInput, type Page } from '../lists/page.ts';
import { type RecordSource, readPage } from '../lists/records.ts';
import { matchesSearch } from '../lists/search.ts';

/** A list of all records of a kind: a search, a window, a page. */
export type ListOperation<Node> = Operation<typeof listInput, Page<Node>>;

/**
 * Makes the list of all records of a kind.
 *
 * @param matches the condition of a search, beginning with AND; the search text's, unless told.
 * @throws {ServiceError} `invalid_cursor`.
 */
export function defineList<Node>(definition: {
  readonly scope: Scope;
  readonly source: RecordSource<Node>;
  readonly matches?: (search: string, context: Context) => Sql;
}): ListOperation<Node> {
  const { scope, source, matches = (search) => matchesSearch(source.alias, search) } = definition;
  return defineOperation({
    scope,
    input: listInput,
    run: (context, input: z.output<typeof listInput>, fields) =>
      readPage(context, source, input, fields, input.search == null ? empty : matches(input.search, context)),
  });
}
