import { z } from 'zod';
import type { Context } from './context.ts';
import { notFound } from './errors.ts';
import { type IdPrefix, isId } from './ids.ts';
import { defineOperation, type Operation } from './operation.ts';
import { type RecordSource, readByIds } from './records.ts';
import type { Scope } from './scopes.ts';

/** Looks up records by id: undefined where this organization has none, in the order of the ids. */
export type FindOperation<Node> = Operation<z.ZodArray<z.ZodString>, (Node | undefined)[]>;

/** A lookup of many records by string id in one statement. */
export function defineFind<Node extends { readonly id: string }>(
  scope: Scope,
  source: RecordSource,
  prefix: IdPrefix,
): FindOperation<Node> {
  const id = { column: `${source.alias}.id`, type: 'text' } as const;
  return defineOperation({
    scope,
    input: z.array(z.string()),
    run: async (context, ids) => {
      const found = await readByIds<Node>(
        context,
        source,
        id,
        ids.filter((one) => isId(prefix, one)),
      );
      const byId = new Map(found.map((record) => [record?.id, record]));
      return ids.map((one) => byId.get(one));
    },
  });
}

/** Reads one record by string id. @throws {ServiceError} `not_found`, naming the kind of record. */
export function defineGet<Node>(find: FindOperation<Node>, record: string) {
  return defineOperation({
    scope: find.scope,
    input: z.strictObject({ id: z.string() }),
    run: async (context: Context, { id }): Promise<Node> => {
      const [found] = await find(context, [id]);
      if (!found) throw notFound(record);
      return found;
    },
  });
}
