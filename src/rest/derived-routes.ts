import { pluralInSentence } from '../domain/definition/entity.ts';
import type { EntityWithOperations } from '../domain/definition/entity-operations.ts';
import type { EntityName } from '../domain/entities/registry.ts';
import { RECORD_SHAPES } from './entity-shape.ts';
import type { RecordShape } from './record-shape.ts';
import { createRoute, deleteRoute, getRoute, listRoute, type Route, updateRoute } from './route.ts';

/** Returns the routes of an entity: those of its operations. */
export function derivedRoutes({ entity, operations }: EntityWithOperations): Route[] {
  const { list, get, create, update, delete: remove } = operations;
  const shape = RECORD_SHAPES[entity.plural as EntityName] as unknown as RecordShape;
  const path = `/${pluralInSentence(entity).replaceAll(' ', '-')}`;
  const recordPath = `${path}/{id}`;
  return [
    listRoute(path, list as never, shape),
    ...(create ? [createRoute(path, create as never, shape)] : []),
    getRoute(recordPath, get as never, shape),
    ...(update ? [updateRoute(recordPath, update as never, shape)] : []),
    ...(remove ? [deleteRoute(recordPath, remove as never, shape)] : []),
  ];
}
