import type { z } from 'zod';
import type { Operation } from '../core/operation.ts';
import type { Entity } from '../definition/entity.ts';
import { defineFind, type FindOperation } from '../definition/find.ts';
import type { ListOperation } from '../definition/list.ts';
import type { JsonRecord } from '../records/records.ts';
import { department } from './department.ts';
import { designation } from './designation.ts';
import { event, eventOperations } from './event.ts';
import { findForms, form } from './form.ts';
import { formResponse } from './form-response.ts';
import { member } from './member.ts';
import { prayerRequest } from './prayer-request.ts';
import { service, serviceOperations } from './service.ts';
import { tag } from './tag.ts';

/**
 * All entities by the names of their lists, with the operation that finds records by id. Each entity comes after those
 * that its records refer to. The change feed, the loaders and `node` of GraphQL, import and export, and the reset of the
 * demo are derived from this list; for an entity with `operations`, also its routes, types and fields in both APIs.
 */
export const ENTITIES = {
  designations: { entity: designation, find: defineFind(designation) },
  tags: { entity: tag, find: defineFind(tag) },
  members: { entity: member, find: defineFind(member) },
  departments: { entity: department, find: defineFind(department) },
  forms: { entity: form, find: findForms },
  form_responses: { entity: formResponse, find: defineFind(formResponse) },
  events: { entity: event, find: defineFind(event), operations: eventOperations },
  services: { entity: service, find: defineFind(service), operations: serviceOperations },
  prayer_requests: { entity: prayerRequest, find: defineFind(prayerRequest) },
} as const;

/** The name of the list of an entity. */
export type EntityName = keyof typeof ENTITIES;

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
