import { z } from 'zod';
import { raw, sql } from '../../store/sql.ts';
import { notFound } from '../core/errors.ts';
import { defineOperation, type Operation } from '../core/operation.ts';
import type { Scope } from '../core/scopes.ts';
import type { JsonRecord } from '../records/json-record.ts';
import { type RecordSource, readByIds, readOne } from '../records/records.ts';
import { idProblem, isId } from '../values/ids.ts';
import { capitalize } from '../values/words.ts';
import { nameInSentence, pascalCase } from './entity.ts';

/** Finds records by id, in the order of the ids: undefined for ids that this organization does not have. */
export type FindOperation<Node> = Operation<z.ZodArray<z.ZodString>, (Node | undefined)[]>;

/** The parts of an entity that are needed to read its records by id. */
interface FindableEntity<Node> {
  readonly name: string;
  readonly scope: Scope;
  readonly source: RecordSource<Node>;
  readonly prefix: string;
}

/** Defines an operation that finds records by string id in one statement. */
export function defineFind<Node>({ scope, source, prefix }: FindableEntity<Node>): FindOperation<Node> {
  const idColumn = { column: `${source.alias}.id`, type: 'text' } as const;
  return defineOperation({
    name: `find${pascalCase(source.name)}`,
    scope,
    input: z.array(z.string()),
    run: async (context, ids, fields) => {
      const wellFormed = ids.filter((id) => isId(prefix, id));
      const found = await readByIds(context, source, idColumn, wellFormed, fields);
      const byId = new Map(wellFormed.map((id, index) => [id, found[index]]));
      return ids.map((id) => byId.get(id));
    },
  });
}

/** An entity whose records can be read by id. */
interface GettableEntity<Node> extends FindableEntity<Node> {
  /** Returns the stored form of an id, or undefined if no record can have it. By default: string ids with the prefix. */
  readonly parseId?: (id: string) => string | number | undefined;
  /** Returns what is wrong with an id that no record can have. By default: see {@link idProblem}. */
  readonly problemOf?: (id: string) => string | undefined;
}

/** Defines an operation that reads one record by id. @throws {ServiceError} `not_found`. */
export function defineGet<Node>(entity: GettableEntity<Node>) {
  const { scope, source, prefix, parseId = (id) => (isId(prefix, id) ? id : undefined) } = entity;
  const noun = nameInSentence(entity);
  const { problemOf = (id) => idProblem(prefix, noun, id) } = entity;
  const id = raw(`${source.alias}.id`);
  return defineOperation({
    name: `get${entity.name}`,
    scope,
    input: z.strictObject({ id: z.string() }),
    run: async (context, input, fields): Promise<JsonRecord<Node>> => {
      const stored = parseId(input.id);
      const found = stored === undefined ? undefined : await readOne(context, source, sql`${id} = ${stored}`, fields);
      if (!found) throw notFound(capitalize(noun), problemOf(input.id));
      return found;
    },
  });
}
