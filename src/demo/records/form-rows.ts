import { searchTextOf } from '../../domain/values/search-text.ts';
import { Prisma } from '../../store/generated/client.ts';
import { recordTimes } from '../calendar.ts';
import { DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { FORMS } from './forms.ts';

/** Returns when a form was created, in hours after the organization's first day. */
export function formCreatedHours(form: number): number {
  return 30 + form * 96;
}

/** Returns the id of a form by its index. It can be fixed, because form ids are unique only within an organization. */
export function formId(form: number): number {
  return form + 1;
}

/** Returns the id of a field by the index of its form and its position in the form. */
export function fieldId(form: number, ordinal: number): number {
  return FORMS.slice(0, form).reduce((before, { questions }) => before + questions.length, 0) + ordinal + 1;
}

/** The forms of the demo organization. */
export function demoForms(): Prisma.FormCreateManyInput[] {
  return FORMS.map(({ title, description, isPublished, acceptingResponse }, form) => ({
    organizationId,
    id: formId(form),
    title,
    description,
    isPublished,
    acceptingResponse,
    searchText: searchTextOf(title),
    ...recordTimes(formCreatedHours(form), form * 20),
  }));
}

/** The form fields of the demo organization. */
export function demoFormFields(): Prisma.FormFieldCreateManyInput[] {
  return FORMS.flatMap(({ questions }, form) =>
    questions.map(({ question, fieldType, isRequired, description, options, collects }, ordinal) => ({
      organizationId,
      id: fieldId(form, ordinal),
      formId: formId(form),
      ordinal,
      question,
      fieldType,
      isRequired,
      description,
      options: options?.map(({ value, active }) => ({ value, active })) ?? Prisma.DbNull,
      collects: collects ? { ...collects } : Prisma.DbNull,
    })),
  );
}
