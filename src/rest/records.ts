import type { RecordOf } from '../domain/definition/entity.ts';
import { ENTITIES, type EntityName } from '../domain/entities/registry.ts';
import { type NodeSchema, recordShapeOf } from './entity-record.ts';
import type { RecordShape } from './record.ts';

/** The shape of the records of each list. */
type RecordShapes = {
  readonly [Name in EntityName]: RecordShape<NodeSchema<RecordOf<(typeof ENTITIES)[Name]['entity']>>>;
};

/** The shapes of the records in responses, by the names of their lists. */
export const RECORD_SHAPES = Object.fromEntries(
  Object.entries(ENTITIES).map(([name, { entity }]) => [name, recordShapeOf<unknown>(entity)]),
) as unknown as RecordShapes;
