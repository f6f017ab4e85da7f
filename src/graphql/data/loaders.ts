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
import {
  listMembersOfDepartments,
  listMembersOfDesignations,
  listMembersOfTags,
} from '../../domain/members/member-lists.ts';
import type { JsonRecord } from '../../domain/records/json-record.ts';
import type { SelectedFields } from '../../domain/records/projection.ts';
import type { InCamelCase } from '../operation/naming.ts';
import { createProjectionLoader, type ProjectionLoader } from './projection-loader.ts';
import { createRecordLoader, type RecordLoader } from './record-loader.ts';
import { runOperation } from './run-operation.ts';

/** Creates a loader for a single request. */
type LoaderFactory<Loader> = (context: { readonly domain: Context }) => Loader;

const FACTORIES = {
  ...loadersById(),
  formFields: byId<number, FormField>(findFormFields, 'options'),
  tagsOfMember: byProjection<string, JsonRecord<InCamelCase<Tag>>[]>(findTagsOfMembers),
  departmentsOfMember: byProjection<string, JsonRecord<InCamelCase<Department>>[]>(findDepartmentsOfMembers),
  membersOfDepartment: membersOf(listMembersOfDepartments),
  membersOfTag: membersOf(listMembersOfTags),
  membersOfDesignation: membersOf(listMembersOfDesignations),
  responsesOfForm: byPageAndProjection<number, Page<InCamelCase<FormResponse>>>(
    listResponsesOfForms,
    (form_ids, page) => ({ form_ids, page }),
  ),
} satisfies Record<string, LoaderFactory<unknown>>;

type LoadersByName = {
  readonly [Name in keyof typeof FACTORIES]: ReturnType<(typeof FACTORIES)[Name]>;
};

/**
 * The loaders of one request. Keys that are requested from a loader in one turn of the event loop are read together; some
 * loaders read each selection separately.
 */
export interface Loaders extends LoadersByName {
  /** Discards all cached results. */
  clear(): void;
}

/** Creates each loader on first use: most requests use one or none. */
class LazyLoaders {
  private readonly created: Record<string, unknown> = {};

  constructor(private readonly domain: Context) {}

  clear(): void {
    // Not a new object: the old one would keep the loaders, see "Promoted objects of completed requests" in docs/architecture.md.
    for (const name in this.created) this.created[name] = undefined;
  }

  static {
    for (const [name, create] of Object.entries<LoaderFactory<unknown>>(FACTORIES)) {
      Object.defineProperty(LazyLoaders.prototype, name, {
        get(this: LazyLoaders) {
          this.created[name] ??= create({ domain: this.domain });
          return this.created[name];
        },
      });
    }
  }
}

/** Creates the loaders of one request. */
export function createLoaders(domain: Context): Loaders {
  // The getters are defined dynamically, so the compiler does not know them.
  return new LazyLoaders(domain) as unknown as Loaders;
}

/** The loaders of records by id, one for each entity. */
function loadersById() {
  type Loader<Name extends EntityName> = LoaderFactory<
    RecordLoader<Name extends 'forms' ? number : string, InCamelCase<RecordOf<(typeof ENTITIES)[Name]['entity']>>>
  >;
  const loaders = Object.entries(ENTITIES).map(([name, { entity, find }]) => [
    name,
    byId(find as ReadManyOperation, (entity as Entity).embedded?.field),
  ]);
  return Object.fromEntries(loaders) as { [Name in EntityName]: Loader<Name> };
}

/** An operation that returns one result per key. Loaders select fields under their GraphQL names. */
type ReadManyOperation = Operation<z.ZodType, unknown>;

/** A loader of records by id. */
function byId<Id, Node>(
  find: ReadManyOperation,
  largeField: string | undefined,
): LoaderFactory<RecordLoader<Id, Node>> {
  return (context) =>
    createRecordLoader(
      (ids, fields) => runOperation(context, find, ids, fields) as Promise<(Node | undefined)[]>,
      largeField,
    );
}

/** A loader by key and projection. Parents with the same selection are read in one statement. */
function byProjection<Key, Result>(operation: ReadManyOperation): LoaderFactory<ProjectionLoader<Key, Result>> {
  return (context) =>
    createProjectionLoader((keys, fields) => runOperation(context, operation, keys, fields) as Promise<Result[]>);
}

/** A loader of pages of the members of other records. */
function membersOf(list: typeof listMembersOfDepartments) {
  return byPageAndProjection<string, Page<InCamelCase<Member>>>(list, (ids, page) => ({ ids, page }));
}

/** A loader of pages. Parents with the same page arguments and selection are read in one statement. */
function byPageAndProjection<Key, Result>(
  operation: ReadManyOperation,
  toInput: (keys: readonly Key[], pageArguments: PageArguments) => object,
): LoaderFactory<(key: Key, pageArguments: PageArguments, fields: SelectedFields) => Promise<Result>> {
  return (context) => {
    const loaders = new Map<string, ProjectionLoader<Key, Result>>();
    return (key, pageArguments, fields) => {
      const { first, after, last, before, lookahead } = pageArguments;
      const loaderKey = JSON.stringify([first, after, last, before, lookahead]);
      let loader = loaders.get(loaderKey);
      if (!loader) {
        loader = createProjectionLoader(
          (keys, selected) =>
            runOperation(context, operation, toInput(keys, pageArguments), selected) as Promise<Result[]>,
        );
        loaders.set(loaderKey, loader);
      }
      return loader.load(key, fields);
    };
  };
}
