import DataLoader from 'dataloader';
import type { z } from 'zod';
import type { Context } from '../../domain/context.ts';
import {
  type Department,
  findDepartments,
  findDepartmentsOfMembers,
  listMembersOfDepartments,
} from '../../domain/department.ts';
import { findDesignations } from '../../domain/designation.ts';
import { findEvents } from '../../domain/event.ts';
import type { Fields } from '../../domain/fields.ts';
import { findFormFields, findForms } from '../../domain/form.ts';
import { type FormResponse, findFormResponses, listResponsesOfForms } from '../../domain/form-response.ts';
import type { JsonRecord } from '../../domain/json-record.ts';
import { findMembers, type Member } from '../../domain/member.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Page, Window } from '../../domain/page.ts';
import { findPrayerRequests } from '../../domain/prayer-request.ts';
import { findServices } from '../../domain/service.ts';
import { findTags, findTagsOfMembers, type Tag } from '../../domain/tag.ts';
import { type InCamelCase, toCamelCase } from '../execution/naming.ts';
import { runOperation } from './run-operation.ts';
import { createSelectingLoader, type SelectingLoader } from './selecting-loader.ts';

/** Makes a loader for one request. */
type Make<Loader> = (context: { readonly domain: Context }) => Loader;

const MAKERS = {
  members: byId(findMembers),
  tags: byId(findTags),
  designations: byId(findDesignations),
  departments: byId(findDepartments),
  prayerRequests: byId(findPrayerRequests),
  formResponses: byId(findFormResponses),
  events: byId(findEvents),
  services: byId(findServices),
  forms: byId(findForms),
  formFields: ((context) =>
    new DataLoader((ids: readonly number[]) => runOperation(context, findFormFields, ids))) satisfies Make<unknown>,
  tagsOfMember: selecting<string, JsonRecord<InCamelCase<Tag>>[]>(findTagsOfMembers),
  departmentsOfMember: selecting<string, JsonRecord<InCamelCase<Department>>[]>(findDepartmentsOfMembers),
  membersOfDepartment: windowed<string, Page<InCamelCase<Member>>>(
    listMembersOfDepartments,
    (department_ids, window) => ({ department_ids, window }),
  ),
  responsesOfForm: windowed<number, Page<InCamelCase<FormResponse>>>(listResponsesOfForms, (form_ids, window) => ({
    form_ids,
    window,
  })),
} satisfies Record<string, Make<unknown>>;

type Made = { readonly [Name in keyof typeof MAKERS]: ReturnType<(typeof MAKERS)[Name]> };

/** The loaders of one request: whatever many records ask for at once is one call of the domain. */
export interface Loaders extends Made {
  /** Forgets all that was loaded. */
  clear(): void;
}

/**
 * Makes each loader when it is first asked for: most requests need one of them, or none. A getter for each name of
 * `MAKERS` is made below, which the compiler cannot see.
 */
class LazyLoaders {
  private made: Record<string, unknown> = {};

  constructor(private readonly domain: Context) {}

  clear(): void {
    this.made = {};
  }

  static {
    for (const [name, make] of Object.entries<Make<unknown>>(MAKERS)) {
      Object.defineProperty(LazyLoaders.prototype, name, {
        get(this: LazyLoaders) {
          this.made[name] ??= make({ domain: this.domain });
          return this.made[name];
        },
      });
    }
  }
}

/** Makes the loaders of one request. */
export function createLoaders(domain: Context): Loaders {
  return new LazyLoaders(domain) as unknown as Loaders;
}

/** Whole records: which of their fields are selected is not known to all who ask for one. */
function byId<Id extends string | number, Node extends object>(
  find: Operation<z.ZodArray<z.ZodType<Id>>, (Node | undefined)[]>,
) {
  return (context: { readonly domain: Context }) =>
    new DataLoader(async (ids: readonly Id[]) => {
      const records = await runOperation(context, find, ids);
      return records.map((record) => record && toCamelCase(record));
    });
}

/** What an operation gives for each key: under GraphQL's names, since the fields that are asked for bear them. */
type ReadOfMany = Operation<z.ZodType, unknown>;

/** A loader for each selection: parents with the same one share a statement. */
function selecting<Key, Result>(operation: ReadOfMany): Make<SelectingLoader<Key, Result>> {
  return (context) =>
    createSelectingLoader((keys, fields) => runOperation(context, operation, keys, fields) as Promise<Result[]>);
}

/** A loader for each window and selection: parents with the same ones share a statement. */
function windowed<Key, Result>(
  operation: ReadOfMany,
  input: (keys: readonly Key[], window: Window) => object,
): Make<(key: Key, window: Window, fields: Fields) => Promise<Result>> {
  return (context) => {
    const loaders = new Map<Fields, Map<string, DataLoader<Key, Result>>>();
    return (key, window, fields) => {
      const ofSelection = loaders.get(fields) ?? new Map<string, DataLoader<Key, Result>>();
      loaders.set(fields, ofSelection);
      const name = JSON.stringify([window.first, window.after, window.last, window.before, window.lookahead]);
      let loader = ofSelection.get(name);
      if (!loader) {
        loader = new DataLoader(
          (keys) => runOperation(context, operation, input(keys, window), fields) as Promise<(Result | Error)[]>,
        );
        ofSelection.set(name, loader);
      }
      return loader.load(key);
    };
  };
}
