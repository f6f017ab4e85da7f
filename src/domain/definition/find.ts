import { z } from 'zod';
import { raw, sql } from '../../store/sql.ts';
import { notFound } from '../core/errors.ts';
import { idOfAnotherKind, isId } from '../core/ids.ts';
import { defineOperation, type Operation } from '../core/operation.ts';
import type { Scope } from '../core/scopes.ts';
import type { JsonRecord } from '../lists/json-record.ts';
import { type RecordSource, readByIds, readOne } from '../lists/records.ts';
import { nameInSentence } from './entity.ts';

/** Looks up records by id: undefined where this organization has none, in the order of the ids. */
export type FindOperation<Node> = Operation<z.ZodArray<z.ZodString>, (Node | undefined)[]>;

/** Records of one kind that have string ids. */
interface Kind<Node> {
  readonly name: string;
  readonly scope: Scope;
  readonly source: RecordSource<Node>;
  readonly prefix: string;
}

/** A lookup of many records by string id in one statement. */
export function defineFind<Node>({ scope, source, prefix }: Kind<Node>): FindOperation<Node> {
  const id = { column: `${source.alias}.id`, type: 'text' } as const;
  return defineOperation({
    scope,
    input: z.array(z.string()),
    run: async (context, ids, fields) => {
      const possible = ids.filter((one) => isId(prefix, one));
      const found = await readByIds(context, source, id, possible, fields);
      const byId = new Map(possible.map((one, index) => [one, found[index]]));
      return ids.map((one) => byId.get(one));
    },
  });
}

/** Reads one record by string id. @throws {ServiceError} `not_found`, naming the kind of record. */
export function defineGet<Node>(kind: Kind<Node>) {
  const { scope, source, prefix } = kind;
  const noun = nameInSentence(kind);
  const id = raw(`${source.alias}.id`);
  return defineOperation({
    scope,
    input: z.strictObject({ id: z.string() }),
    run: async (context, input, fields): Promise<JsonRecord<Node>> => {
      const found = isId(prefix, input.id)
        ? await readOne(context, source, sql`${id} = ${input.id}`, fields)
        : undefined;
      if (!found) throw notFound(`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`, idOfAnotherKind(prefix, input.id));
      return found;
    },
  });
}
