import { searchTextOf } from '../../domain/lists/search.ts';
import { Prisma } from '../../store/generated/client.ts';
import { recordTimes } from '../calendar.ts';
import { DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { FORMS } from './forms.ts';

/** The creation time of a form, in hours after the organization's first day. */
export function formEntered(form: number): number {
  return 30 + form * 96;
}

/** The id of a form by its index. Ids need only be unique within an organization, so these never change. */
export function formId(form: number): number {
  return form + 1;
}

/** The id of a form's field by their indexes. */
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
    ...recordTimes(formEntered(form), form * 20),
  }));
}

/** The fields of these forms. */
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
