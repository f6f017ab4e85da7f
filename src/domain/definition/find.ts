import { z } from 'zod';
import { raw, sql } from '../../store/sql.ts';
import { notFound } from '../core/errors.ts';
import { defineOperation, type Operation } from '../core/operation.ts';
import { JsonRecord, readByIds, readOne } from '../records/records.ts';
import { formIdProblem, idProblem, isId, parseIntegerId } from '../values/ids.ts';
import { capitalize } from '../values/words.ts';
import { type Entity, nameInSentence, pascalCase } from './entity.ts';
import { type Inclusions, includeField, includeRelated, scopesOfInclude } from './list.ts';

/** Finds records by id, in the order of the ids: undefined for ids that this organization does not have. */
export type FindOperation<Node> = Operation<z.ZodArray<z.ZodString>, (Node | undefined)[]>;

/** Defines an operation that finds records by string id in one statement. */
export function defineFind<Node>({ scope, source, prefix }: Entity<Node>): FindOperation<Node> {
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

/**
 * Defines an operation that reads one record by id.
 *
 * @param inclusions the related records that a request can include.
 * @throws {ServiceError} `not_found`.
 */
export function defineGet<Node>(entity: Entity<Node>, inclusions: Inclusions = {}) {
  const { scope, source, prefix } = entity;
  const noun = nameInSentence(entity);
  const isInteger = entity.fields.id?.type === 'integerId';
  const parseId = (value: string) => (isId(prefix, value) ? value : undefined);
  const id = raw(`${source.alias}.id`);
  return defineOperation({
    name: `get${entity.name}`,
    scope,
    input: z.strictObject({ id: z.string(), include: includeField(inclusions) }),
    scopesOfInput: (input) => scopesOfInclude(inclusions, input),
    run: async (context, input, fields): Promise<JsonRecord<Node>> => {
      const stored = isInteger ? parseIntegerId(input.id) : parseId(input.id);
      const found = stored === undefined ? undefined : await readOne(context, source, sql`${id} = ${stored}`, fields);
      if (!found) {
        const problem = isInteger ? formIdProblem(input.id) : idProblem(prefix, noun, input.id, entity.plural);
        throw notFound(capitalize(noun), problem);
      }
      if (!input.include?.length) return found;
      const [json = ''] = await includeRelated(context, { inclusions, names: input.include }, [found]);
      return new JsonRecord(json);
    },
  });
}
