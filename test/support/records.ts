import { randomUUID } from 'node:crypto';
import type { Entity } from '../../src/domain/definition/entity.ts';
import { ENTITIES } from '../../src/domain/entities/registry.ts';
import { newId } from '../../src/domain/values/ids.ts';
import { searchTextOf } from '../../src/domain/values/search-text.ts';
import type { Prisma } from '../../src/store/generated/client.ts';
import { newFormId } from './data.ts';
import { type DerivedEntityName, insertRecords, insertRequired, requiredValuesOf } from './derived-records.ts';
import type { TestService } from './service.ts';

/** Creates the records that no endpoint creates, in one organization; omitted fields are empty. */
export function recordsOf(service: Pick<TestService, 'store'>, organizationId: string) {
  const { prisma } = service.store;
  const made = (prefix: Parameters<typeof newId>[0], name: string) => ({
    organizationId,
    id: newId(prefix),
    searchText: searchTextOf(name),
  });
  const form = (fields: Fields<Prisma.FormUncheckedCreateInput> = {}) => {
    const title = fields.title ?? 'Survey';
    return prisma.form.create({
      data: { organizationId, id: newFormId(), searchText: searchTextOf(title), title, ...fields },
    });
  };
  return {
    /** Creates a record with only its required fields; returns its id. */
    required: async (name: DerivedEntityName) => (await insertRequired(service, organizationId, name, 1))[0] as string,
    /** Creates a record with values for its required fields and others; returns its id. */
    derived: async (name: DerivedEntityName, values: Record<string, unknown>) => {
      const required = requiredValuesOf(ENTITIES[name].entity as unknown as Entity<object>);
      return (await insertRecords(service, organizationId, name, [{ ...required, ...values }]))[0] as string;
    },
    tag: (fields: Fields<Prisma.TagUncheckedCreateInput> = {}) => {
      const name = fields.name ?? 'Choir';
      return prisma.tag.create({ data: { ...made('tag', name), name, slug: `slug-${randomUUID()}`, ...fields } });
    },
    designation: (fields: Fields<Prisma.DesignationUncheckedCreateInput> = {}) => {
      const name = fields.name ?? 'Usher';
      return prisma.designation.create({ data: { ...made('dsg', name), name, ...fields } });
    },
    /** A department with its members in order. */
    department: async (fields: Fields<Prisma.DepartmentUncheckedCreateInput> = {}, memberIds: string[] = []) => {
      const name = fields.name ?? 'Music';
      const department = await prisma.department.create({ data: { ...made('dep', name), name, ...fields } });
      const places = memberIds.map((memberId) => ({ organizationId, departmentId: department.id, memberId }));
      await prisma.departmentMember.createMany({ data: places });
      return department;
    },
    form,
    formField: (formId: number, fields: Fields<Prisma.FormFieldUncheckedCreateInput> = {}) =>
      prisma.formField.create({
        data: {
          organizationId,
          id: newFormId(),
          formId,
          ordinal: 0,
          question: 'Why?',
          fieldType: 'short_answer',
          ...fields,
        },
      }),
    formResponse: (formId: number, answers: Prisma.InputJsonObject = {}) =>
      prisma.formResponse.create({ data: { organizationId, id: newId('frs'), formId, answers } }),
    event: (fields: Fields<Prisma.EventUncheckedCreateInput> = {}) => {
      const title = fields.title ?? 'Picnic';
      return prisma.event.create({ data: { ...made('evt', title), title, dates: [], ...fields } });
    },
    prayerRequest: (fields: Fields<Prisma.PrayerRequestUncheckedCreateInput> = {}) => {
      const data = { title: null, description: 'Peace', sender: 'Anonymous', ...fields };
      const searchText = searchTextOf(data.title as string | null, data.description);
      return prisma.prayerRequest.create({ data: { organizationId, id: newId('pry'), ...data, searchText } });
    },
    /** A recurring or dated gathering. */
    service: (fields: Fields<Prisma.ServiceUncheckedCreateInput> = {}) => {
      const title = fields.title ?? 'Vespers';
      return prisma.service.create({ data: { ...made('svc', title), title, ...fields } });
    },
    /** Many events in one statement, in the order of their titles. */
    events: (titles: readonly string[]) =>
      prisma.event.createMany({ data: titles.map((title) => ({ ...made('evt', title), title, dates: [] })) }),
  };
}

/** The return type of {@link recordsOf}. */
export type Records = ReturnType<typeof recordsOf>;

type Fields<Input> = Partial<Omit<Input, 'organizationId' | 'id' | 'position' | 'searchText'>>;
