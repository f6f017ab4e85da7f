import type { Prisma } from '../../store/generated/client.ts';
import { hoursAfterStart } from '../calendar.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { nth, pick, seededInteger } from '../seeded-random.ts';
import type { Question } from './form-questions.ts';
import { fieldId, formCreatedHours, formId } from './form-rows.ts';
import { FORMS } from './forms.ts';
import { MEMBER_COUNT, phoneNumberOf } from './members.ts';
import { nameOf } from './names.ts';

const FALLBACK_PHONE = '+12025550199';

/** The form responses of the demo organization, ordered by form and time of submission. */
export function demoFormResponses(): Prisma.FormResponseCreateManyInput[] {
  return FORMS.flatMap(({ responses, questions }, form) =>
    [...Array(responses).keys()].map((response) => ({ response, questions, form })),
  ).map(({ response, questions, form }, index) => ({
    organizationId,
    id: demoId('frs', index + 1),
    formId: formId(form),
    submittedAt: hoursAfterStart(formCreatedHours(form) + 7 + response * 31),
    answers: Object.fromEntries(
      questions.flatMap((question, ordinal) =>
        question.isRequired || seededInteger(index, question.question, 4) > 0
          ? [[String(fieldId(form, ordinal)), answerOf(question, index)]]
          : [],
      ),
    ),
  }));
}

/** Returns an answer of the question's type. @param index the index of the response, which determines the respondent. */
function answerOf({ question, fieldType, options, collects, samples }: Question, index: number): Prisma.InputJsonValue {
  const respondent = (index * 7 + 11) % MEMBER_COUNT;
  const { firstName, lastName, emailAddress } = nameOf(respondent);
  const phone = phoneNumberOf(respondent) ?? FALLBACK_PHONE;
  switch (fieldType) {
    case 'email':
      return emailAddress;
    case 'phone_number':
      return phone;
    case 'dropdown':
    case 'single_choice':
      return pick(activeValues(options), index, question);
    case 'multiple_choice':
      return activeValues(options).filter((option, at) => at === index % 3 || seededInteger(index, option, 3) === 0);
    case 'contact':
      return {
        ...(collects?.first_name ? { first_name: firstName } : {}),
        ...(collects?.last_name ? { last_name: lastName } : {}),
        ...(collects?.email ? { email: emailAddress } : {}),
        ...(collects?.phone ? { phone } : {}),
      };
    case 'payment':
      return { amount: pick(samples, index, question), currency: 'USD', status: index % 5 === 0 ? 'pending' : 'paid' };
    case 'file_upload': {
      const name = String(pick(samples, index, question));
      const size = 40_000 + seededInteger(index, 'size', 900_000);
      return [{ name, url: `https://files.example.org/uploads/${demoId('frs', index + 1)}/${name}`, size }];
    }
    default:
      return nth(samples, index);
  }
}

function activeValues(options: Question['options']): string[] {
  return (options ?? []).filter((option) => option.active).map(({ value }) => value);
}
