import DataLoader from 'dataloader';
import type { z } from 'zod';
import type { Context } from '../../domain/core/context.ts';
import type { Operation, SelectedFields } from '../../domain/core/operation.ts';
import type { Entity, RecordOf } from '../../domain/definition/entity.ts';
import { type Department, findDepartmentsOfMembers } from '../../domain/entities/department.ts';
import { type FormField, findFormFields } from '../../domain/entities/form-field.ts';
import { type FormResponse, listResponsesOfForms } from '../../domain/entities/form-response.ts';
import type { Member } from '../../domain/entities/member.ts';
import { ENTITIES, type EntityName } from '../../domain/entities/registry.ts';
import { findTagsOfMembers, type Tag } from '../../domain/entities/tag.ts';
import type { Page, PageArguments } from '../../domain/lists/page.ts';
import type { ListMembersOf } from '../../domain/members/member-lists.ts';
import type { JsonRecord } from '../../domain/records/records.ts';
import type { InCamelCase } from '../naming.ts';
import { runOperation } from './run-operation.ts';

/** Creates a loader for a single request. */
export type LoaderFactory<Loader> = (domainContext: Context) => Loader;

/**
 * The loaders of one request, created on first use: most requests use one or none. Keys that are requested from a loader
 * in one turn of the event loop are read together; a {@link NestedLoader} reads each selection separately.
 */
export class Loaders {
  private readonly created = new Map<LoaderFactory<unknown>, unknown>();

  constructor(private readonly domainContext: Context) {}

  get<Loader>(create: LoaderFactory<Loader>): Loader {
    const loader = this.created.get(create) ?? create(this.domainContext);
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
export const tagsOfMember = listByParent<Tag>(findTagsOfMembers);
export const departmentsOfMember = listByParent<Department>(findDepartmentsOfMembers);
export const responsesOfForm = pageByParent<number, FormResponse>(listResponsesOfForms, (form_ids, page) => ({
  form_ids,
  page,
}));

/** A loader of pages of the members of other records. @param list lists the members of several such records. */
export function membersOf(list: ListMembersOf): LoaderFactory<PageLoader<string, InCamelCase<Member>>> {
  return pageByParent<string, Member>(list, (ids, page) => ({ ids, page }));
}

/** Loads records by id with the selected fields. */
export interface RecordLoader<Id, Node> {
  /** @returns the record with at least `fields`; undefined if it does not exist. */
  load(id: Id, fields: SelectedFields): Promise<Node | undefined>;
}

/** Returns the loader of what belongs to parents with the selected fields: a statement reads one selection. */
type NestedLoader<ParentId, Result> = (fields: SelectedFields) => DataLoader<ParentId, Result>;

/** Loads the lists of records of parents. */
export type ListLoader<Node> = NestedLoader<string, readonly JsonRecord<Node>[]>;

/** Loads pages of records of parents. */
export type PageLoader<ParentId, Node> = (page: PageArguments) => NestedLoader<ParentId, Page<Node>>;

/** An operation that returns one result per key. Loaders select fields under their GraphQL names. */
type ReadManyOperation = Operation<z.ZodType, unknown>;

/**
 * A loader that reads the records which are requested in one turn of the event loop together, with the fields of all their
 * selections.
 *
 * All selections share one statement. With one statement per selection, an operation could run many statements for one
 * point by selecting the same record under many aliases.
 *
 * @param largeField a field with long values. Records for which it is selected are read separately, so that it is not
 *   read for the others.
 */
function byId<Id, Node>(
  find: ReadManyOperation,
  largeField: string | undefined,
): LoaderFactory<RecordLoader<Id, Node>> {
  return (domainContext) => {
    const readBatch = (requests: readonly { readonly id: Id; readonly fields: SelectedFields }[]) => {
      const ids = requests.map(({ id }) => id);
      const fields = unionOf(new Set(requests.map((request) => request.fields)));
      return runOperation(domainContext, find, ids, fields) as Promise<(Node | undefined)[]>;
    };
    const createLoader = () => new DataLoader(readBatch, { cache: false });
    const [loader, largeFieldLoader] = [createLoader(), createLoader()];
    const requested = new Map<SelectedFields, Map<Id, Promise<Node | undefined>>>();
    return {
      load(id, fields) {
        const recordsById = requested.get(fields) ?? new Map<Id, Promise<Node | undefined>>();
        requested.set(fields, recordsById);
        const isLarge = largeField !== undefined && Object.values(fields).includes(largeField);
        const record = recordsById.get(id) ?? (isLarge ? largeFieldLoader : loader).load({ id, fields });
        recordsById.set(id, record);
        return record;
      },
    };
  };
}

/**
 * Returns the fields of all selections. A single selection is returned unchanged, because SELECT lists (`selectionOf`)
 * are cached by object identity.
 */
function unionOf(selections: ReadonlySet<SelectedFields>): SelectedFields {
  const [first = {}] = selections;
  return selections.size === 1 ? first : Object.assign({}, ...selections);
}

/** A loader of lists by the id of their parent. Parents with the same selection are read in one statement. */
function listByParent<Node>(operation: ReadManyOperation): LoaderFactory<ListLoader<InCamelCase<Node>>> {
  return (domainContext) =>
    createNestedLoader(
      (ids, fields) =>
        runOperation(domainContext, operation, ids, fields) as Promise<JsonRecord<InCamelCase<Node>>[][]>,
    );
}

/** A loader of pages. Parents with the same page arguments and selection are read in one statement. */
function pageByParent<ParentId, Node>(
  operation: ReadManyOperation,
  toInput: (ids: readonly ParentId[], page: PageArguments) => object,
): LoaderFactory<PageLoader<ParentId, InCamelCase<Node>>> {
  type Result = Page<InCamelCase<Node>>;
  return (domainContext) => {
    const loaders = new Map<string, NestedLoader<ParentId, Result>>();
    return (page) => {
      const key = JSON.stringify(page);
      const loader =
        loaders.get(key) ??
        createNestedLoader<ParentId, Result>(
          (ids, fields) => runOperation(domainContext, operation, toInput(ids, page), fields) as Promise<Result[]>,
        );
      loaders.set(key, loader);
      return loader;
    };
  };
}

/**
 * Creates a loader that batches reads with the same selection.
 *
 * @param read returns a result or an error for each parent, in the order of the ids; called once per turn of the event
 *   loop and selection.
 */
function createNestedLoader<ParentId, Result>(
  read: (ids: readonly ParentId[], fields: SelectedFields) => Promise<readonly (Result | Error)[]>,
): NestedLoader<ParentId, Result> {
  const loaders = new Map<SelectedFields, DataLoader<ParentId, Result>>();
  return (fields) => {
    const loader = loaders.get(fields) ?? new DataLoader((ids) => read(ids, fields));
    loaders.set(fields, loader);
    return loader;
  };
}
