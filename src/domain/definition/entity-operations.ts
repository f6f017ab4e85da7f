import type { z } from 'zod';
import type { Operation } from '../core/operation.ts';
import type { JsonRecord } from '../records/json-record.ts';
import type { Entity } from './entity.ts';
import type { FindOperation } from './find.ts';
import type { ListOperation } from './list.ts';

/** The operations of an entity from which both APIs derive its routes, types and fields. */
interface EntityOperations<Node> {
  readonly list: ListOperation<Node>;
  readonly get: Operation<z.ZodType, JsonRecord<Node>>;
  readonly create?: Operation<z.ZodType, Node>;
  readonly update?: Operation<z.ZodType, Node>;
  readonly delete?: Operation<z.ZodType, Node>;
}

/** An entity with its operations. */
export interface EntityWithOperations {
  readonly entity: Entity;
  readonly find: FindOperation<unknown>;
  readonly operations: EntityOperations<unknown>;
}

/** Returns the entities of a registry that have operations. */
export function withOperations(entities: Readonly<Record<string, object>>): EntityWithOperations[] {
  return Object.values(entities).filter((one): one is EntityWithOperations => 'operations' in one);
}
