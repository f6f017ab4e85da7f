import DataLoader from 'dataloader';
import type { Context } from '../domain/context.ts';
import {
  type Department,
  findDepartments,
  findDepartmentsOfMembers,
  listMembersOfDepartments,
} from '../domain/department.ts';
import { findDesignations } from '../domain/designation.ts';
import { findEvents } from '../domain/event.ts';
import type { FindOperation } from '../domain/find.ts';
import { findFormFields, findForms } from '../domain/form.ts';
import { type FormResponse, findFormResponses, listResponsesOfForms } from '../domain/form-response.ts';
import { findMembers, type Member } from '../domain/member.ts';
import type { Page, Window } from '../domain/page.ts';
import { findPrayerRequests } from '../domain/prayer-request.ts';
import { findServices } from '../domain/service.ts';
import { findTags, findTagsOfMembers, type Tag } from '../domain/tag.ts';
import { call } from './call.ts';

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
  const byId = <Node>(find: FindOperation<Node>) =>
    new DataLoader((ids: readonly string[]) => call(context, find, ids));
  return {
    members: byId(findMembers),
    tags: byId(findTags),
    designations: byId(findDesignations),
    departments: byId(findDepartments),
    prayerRequests: byId(findPrayerRequests),
    formResponses: byId(findFormResponses),
    events: byId(findEvents),
    services: byId(findServices),
    forms: new DataLoader((ids: readonly number[]) => call(context, findForms, ids)),
    formFields: new DataLoader((ids: readonly number[]) => call(context, findFormFields, ids)),
    tagsOfMember: new DataLoader<string, Tag[]>((ids) => call(context, findTagsOfMembers, ids)),
    departmentsOfMember: new DataLoader<string, Department[]>((ids) => call(context, findDepartmentsOfMembers, ids)),
    membersOfDepartment: windowed<string, Page<Member>>((department_ids, window) =>
      call(context, listMembersOfDepartments, { department_ids, window }),
    ),
    responsesOfForm: windowed<number, Page<FormResponse>>((form_ids, window) =>
      call(context, listResponsesOfForms, { form_ids, window }),
    ),
  };
}

/** A loader for each window that is asked for: parents with the same one share a statement. */
function windowed<Key, Result>(load: (keys: readonly Key[], window: Window) => Promise<(Result | Error)[]>) {
  const loaders = new Map<string, DataLoader<Key, Result>>();
  return (key: Key, window: Window): Promise<Result> => {
    const name = JSON.stringify([window.first, window.after, window.last, window.before]);
    let loader = loaders.get(name);
    if (!loader) {
      loader = new DataLoader<Key, Result>((keys) => load(keys, window));
      loaders.set(name, loader);
    }
    return loader.load(key);
  };
}
