import { nameInSentence } from '../../../domain/definition/entity.ts';
import type { Field } from '../../../domain/definition/field.ts';
import {
  getPrayerRequest,
  listPrayerRequests,
  prayerRequest,
  submitPrayerRequest,
} from '../../../domain/entities/prayer-request.ts';
import { ENTITIES, type EntityWithOperations, withOperations } from '../../../domain/entities/registry.ts';
import { withArticle } from '../../../domain/values/words.ts';
import { addCreation, addDeletion, addUpdate } from '../entity-mutations.ts';
import { addGet, addList } from '../entity-queries.ts';
import { addObjectType, addType } from '../entity-types.ts';

/** Adds the types, queries and mutations of an entity: those of its operations. */
function addEntity({ entity, operations }: EntityWithOperations): void {
  const { list, get, create, update, delete: remove } = operations;
  const one = withArticle(nameInSentence(entity));
  for (const { object } of Object.values<Field>(entity.fields)) if (object) addObjectType(object);
  addType(entity);
  addList(entity, list);
  addGet(entity, get);
  if (create) addCreation(entity, { operation: create, description: `Creates ${one}.` });
  if (update) addUpdate(entity, { operation: update, description: `Updates ${one}.` });
  if (remove) addDeletion(entity, { operation: remove, description: `Deletes ${one}.` });
}

withOperations(ENTITIES).forEach(addEntity);

addType(prayerRequest);
addList(prayerRequest, listPrayerRequests);
addGet(prayerRequest, getPrayerRequest);
addCreation(prayerRequest, {
  operation: submitPrayerRequest,
  description: 'Submits a prayer request. No notification is sent.',
});
