import DataLoader from 'dataloader';
import type { z } from 'zod';
import type { Context } from '../domain/context.ts';
import {
  type Department,
  findDepartments,
  findDepartmentsOfMembers,
  listMembersOfDepartments,
} from '../domain/department.ts';
import { findDesignations } from '../domain/designation.ts';
import { findEvents } from '../domain/event.ts';
import type { Fields } from '../domain/fields.ts';
import { findFormFields, findForms } from '../domain/form.ts';
import { type FormResponse, findFormResponses, listResponsesOfForms } from '../domain/form-response.ts';
import type { JsonRecord } from '../domain/json-record.ts';
import { findMembers, type Member } from '../domain/member.ts';
import type { Operation } from '../domain/operation.ts';
import type { Page, Window } from '../domain/page.ts';
import { findPrayerRequests } from '../domain/prayer-request.ts';
import { findServices } from '../domain/service.ts';
import { findTags, findTagsOfMembers, type Tag } from '../domain/tag.ts';
import { call } from './call.ts';
import { type InCamelCase, toCamelCase } from './camel-case.ts';

/** The loaders of one request: whatever many records ask for at once is one call of the domain. */
export type Loaders = ReturnType<typeof createLoaders>;

/** Makes the loaders of one request. */
export function createLoaders(domain: Context) {
  const loaders = freshLoaders(domain);
  return {
    ...loaders,
    /** Forgets all that was loaded. */
    clear() {
      Object.assign(this, freshLoaders(domain));
    },
  };
}

function freshLoaders(domain: Context) {
  const context = { domain };
  /** Whole records: which of their fields are selected is not known to all who ask for one. */
  const byId = <Id extends string | number, Node extends object>(
    find: Operation<z.ZodArray<z.ZodType<Id>>, (Node | undefined)[]>,
  ) =>
    new DataLoader(async (ids: readonly Id[]) => {
      const records = await call(context, find, ids);
      return records.map((record) => record && toCamelCase(record));
    });
  /** What is read by a selection comes under GraphQL's names. */
  const select = <Result>(operation: Operation<z.ZodType, unknown>, input: unknown, fields: Fields) =>
    call(context, operation, input, fields) as Promise<Result[]>;
  return {
    members: byId(findMembers),
    tags: byId(findTags),
    designations: byId(findDesignations),
    departments: byId(findDepartments),
    prayerRequests: byId(findPrayerRequests),
    formResponses: byId(findFormResponses),
    events: byId(findEvents),
    services: byId(findServices),
    forms: byId(findForms),
    formFields: new DataLoader((ids: readonly number[]) => call(context, findFormFields, ids)),
    tagsOfMember: selecting<string, JsonRecord<InCamelCase<Tag>>[]>((ids, fields) =>
      select(findTagsOfMembers, ids, fields),
    ),
    departmentsOfMember: selecting<string, JsonRecord<InCamelCase<Department>>[]>((ids, fields) =>
      select(findDepartmentsOfMembers, ids, fields),
    ),
    membersOfDepartment: windowed<string, Page<InCamelCase<Member>>>((department_ids, window, fields) =>
      select(listMembersOfDepartments, { department_ids, window }, fields),
    ),
    responsesOfForm: windowed<number, Page<InCamelCase<FormResponse>>>((form_ids, window, fields) =>
      select(listResponsesOfForms, { form_ids, window }, fields),
    ),
  };
}

/** Loads what is selected of the records to which others lead. */
export interface SelectingLoader<Key, Result> {
  load(key: Key, fields: Fields): Promise<Result>;
  /** In the order of the keys. @throws what any of them throws. */
  loadMany(keys: readonly Key[], fields: Fields): Promise<Result[]>;
}

/** A loader for each selection: parents with the same one share a statement. */
function selecting<Key, Result>(
  read: (keys: readonly Key[], fields: Fields) => Promise<Result[]>,
): SelectingLoader<Key, Result> {
  const loaders = new Map<Fields, DataLoader<Key, Result>>();
  const load = (key: Key, fields: Fields): Promise<Result> => {
    let loader = loaders.get(fields);
    if (!loader) {
      loader = new DataLoader<Key, Result>((keys) => read(keys, fields));
      loaders.set(fields, loader);
    }
    return loader.load(key);
  };
  return { load, loadMany: (keys, fields) => Promise.all(keys.map((key) => load(key, fields))) };
}

/** A loader for each window and selection: parents with the same ones share a statement. */
function windowed<Key, Result>(
  load: (keys: readonly Key[], window: Window, fields: Fields) => Promise<(Result | Error)[]>,
) {
  const loaders = new Map<Fields, Map<string, DataLoader<Key, Result>>>();
  return (key: Key, window: Window, fields: Fields): Promise<Result> => {
    const ofSelection = loaders.get(fields) ?? new Map<string, DataLoader<Key, Result>>();
    loaders.set(fields, ofSelection);
    const name = JSON.stringify([window.first, window.after, window.last, window.before]);
    let loader = ofSelection.get(name);
    if (!loader) {
      loader = new DataLoader<Key, Result>((keys) => load(keys, window, fields));
      ofSelection.set(name, loader);
    }
    return loader.load(key);
  };
}
