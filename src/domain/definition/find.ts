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

/** A kind of records that can be read one at a time. */
interface GettableKind<Node> extends Kind<Node> {
  /** Returns the stored form of an id, or undefined if no record can have it. By default: string ids with the prefix. */
  readonly parseId?: (id: string) => string | number | undefined;
}

/** Reads one record by id. @throws {ServiceError} `not_found`, naming the kind of record. */
export function defineGet<Node>(kind: GettableKind<Node>) {
  const { scope, source, prefix, parseId = (id) => (isId(prefix, id) ? id : undefined) } = kind;
  const noun = nameInSentence(kind);
  const id = raw(`${source.alias}.id`);
  return defineOperation({
    scope,
    input: z.strictObject({ id: z.string() }),
    run: async (context, input, fields): Promise<JsonRecord<Node>> => {
      const stored = parseId(input.id);
      const found = stored === undefined ? undefined : await readOne(context, source, sql`${id} = ${stored}`, fields);
      if (!found) throw notFound(`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`, idOfAnotherKind(prefix, input.id));
      return found;
    },
  });
}
