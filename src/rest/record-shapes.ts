import type { RecordOf } from '../domain/definition/entity.ts';
import { ENTITIES, type EntityName } from '../domain/entities/registry.ts';
import { type NodeSchema, recordShapeOf } from './entity-shape.ts';
import type { RecordShape } from './record-shape.ts';

type RecordShapes = {
  readonly [Name in EntityName]: RecordShape<NodeSchema<RecordOf<(typeof ENTITIES)[Name]['entity']>>>;
};

/** The shapes of records in responses, by the name of their list: `members`. */
export const RECORD_SHAPES = Object.fromEntries(
  Object.entries(ENTITIES).map(([name, { entity }]) => [name, recordShapeOf<unknown>(entity)]),
) as unknown as RecordShapes;
