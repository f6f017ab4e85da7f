import type { z } from 'zod';
import type { Context } from '../../domain/core/context.ts';
import type { Operation } from '../../domain/core/operation.ts';
import type { Entity, RecordOf } from '../../domain/definition/entity.ts';
import { type Department, findDepartmentsOfMembers } from '../../domain/entities/department.ts';
import { type FormField, findFormFields } from '../../domain/entities/form-field.ts';
import { type FormResponse, listResponsesOfForms } from '../../domain/entities/form-response.ts';
import type { Member } from '../../domain/entities/member.ts';
import { ENTITIES, type EntityName } from '../../domain/entities/registry.ts';
import { findTagsOfMembers, type Tag } from '../../domain/entities/tag.ts';
import type { Page, PageArguments } from '../../domain/lists/page.ts';
import type { ListMembersOf } from '../../domain/members/member-lists.ts';
import type { JsonRecord } from '../../domain/records/json-record.ts';
import type { SelectedFields } from '../../domain/records/selected-fields.ts';
import type { InCamelCase } from '../naming.ts';
import { createProjectionLoader, type ProjectionLoader } from './projection-loader.ts';
import { createRecordLoader, type RecordLoader } from './record-loader.ts';
import { runOperation } from './run-operation.ts';

/** Creates a loader for a single request. */
export type LoaderFactory<Loader> = (domain: Context) => Loader;

/**
 * The loaders of one request, created on first use: most requests use one or none. Keys that are requested from a loader
 * in one turn of the event loop are read together; a `ProjectionLoader` reads each selection separately.
 */
export class Loaders {
  private readonly created = new Map<LoaderFactory<unknown>, unknown>();

  constructor(private readonly domain: Context) {}

  get<Loader>(create: LoaderFactory<Loader>): Loader {
    const loader = this.created.get(create) ?? create(this.domain);
    this.created.set(create, loader);
    return loader as Loader;
  }

  /** Discards all results. In place, because what still refers to this object would keep them in memory. */
  clear(): void {
    this.created.clear();
  }
}

/** The loader of records by id for each entity. */
export const recordLoaders = Object.fromEntries(
  Object.entries(ENTITIES).map(([name, { entity, find }]) => [name, byId(find, (entity as Entity).embedded?.field)]),
) as {
  readonly [Name in EntityName]: LoaderFactory<
    RecordLoader<Name extends 'forms' ? number : string, InCamelCase<RecordOf<(typeof ENTITIES)[Name]['entity']>>>
  >;
};

export const formFieldLoader = byId<number, FormField>(findFormFields, 'options');
export const tagsOfMember = byProjection<Tag>(findTagsOfMembers);
export const departmentsOfMember = byProjection<Department>(findDepartmentsOfMembers);
export const responsesOfForm = byPage<number, FormResponse>(listResponsesOfForms, (form_ids, page) => ({
  form_ids,
  page,
}));

/** A loader of pages of the members of other records. @param list lists the members of several such records. */
export function membersOf(list: ListMembersOf): LoaderFactory<PageLoader<string, InCamelCase<Member>>> {
  return byPage<string, Member>(list, (ids, page) => ({ ids, page }));
}

/** Loads pages of records for a parent. */
export type PageLoader<ParentId, Node> = (
  id: ParentId,
  page: PageArguments,
  fields: SelectedFields,
) => Promise<Page<Node>>;

/** An operation that returns one result per key. Loaders select fields under their GraphQL names. */
type ReadManyOperation = Operation<z.ZodType, unknown>;

/** A loader of records by id. */
function byId<Id, Node>(
  find: ReadManyOperation,
  largeField: string | undefined,
): LoaderFactory<RecordLoader<Id, Node>> {
  return (domain) =>
    createRecordLoader(
      (ids, fields) => runOperation({ domain }, find, ids, fields) as Promise<(Node | undefined)[]>,
      largeField,
    );
}

/** A loader of lists of records by the id of their parent. Parents with the same selection are read in one statement. */
function byProjection<Node>(
  operation: ReadManyOperation,
): LoaderFactory<ProjectionLoader<string, JsonRecord<InCamelCase<Node>>[]>> {
  return (domain) =>
    createProjectionLoader(
      (ids, fields) => runOperation({ domain }, operation, ids, fields) as Promise<JsonRecord<InCamelCase<Node>>[][]>,
    );
}

/** A loader of pages. Parents with the same page arguments and selection are read in one statement. */
function byPage<ParentId, Node>(
  operation: ReadManyOperation,
  toInput: (ids: readonly ParentId[], page: PageArguments) => object,
): LoaderFactory<PageLoader<ParentId, InCamelCase<Node>>> {
  type Result = Page<InCamelCase<Node>>;
  return (domain) => {
    const loaders = new Map<string, ProjectionLoader<ParentId, Result>>();
    return (parentId, page, fields) => {
      const key = JSON.stringify(page);
      const loader =
        loaders.get(key) ??
        createProjectionLoader<ParentId, Result>(
          (ids, selected) => runOperation({ domain }, operation, toInput(ids, page), selected) as Promise<Result[]>,
        );
      loaders.set(key, loader);
      return loader.load(parentId, fields);
    };
  };
}
