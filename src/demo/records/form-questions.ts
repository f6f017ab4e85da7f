import type { ContactParts, FieldType, FormFieldOption } from '../../domain/entities/form.ts';

/** A form of the demo organization as it is written down in `forms.ts`. */
export interface DemoForm {
  readonly title: string;
  readonly description: string | null;
  readonly isPublished: boolean;
  readonly acceptingResponse: boolean;
  readonly responses: number;
  readonly questions: readonly Question[];
}

/** A question of a demo form, with what people answered to it. */
export interface Question {
  readonly question: string;
  readonly fieldType: FieldType;
  readonly isRequired: boolean;
  readonly description: string | null;
  readonly options: FormFieldOption[] | null;
  readonly collects: ContactParts | null;
  /** Where answers come from, for types whose answers follow neither from the options nor from the person. */
  readonly samples: readonly (string | number)[];
}

type Details = Partial<Pick<Question, 'description' | 'samples'>>;
type Writing = (question: string, details?: Details) => Question;

/** A question whose answers are texts or numbers, or follow from who answers. */
export function asks(fieldType: FieldType, options: FormFieldOption[] | null = null): Writing {
  return (question, details = {}) => ({
    question,
    fieldType,
    isRequired: false,
    description: null,
    options,
    collects: null,
    samples: [],
    ...details,
  });
}

/** A question with choices; the retired one is kept for old answers and can no longer be chosen. */
export function asksChoice(
  fieldType: 'dropdown' | 'single_choice' | 'multiple_choice',
  choices: readonly string[],
  retired: string,
): Writing {
  return asks(fieldType, [...choices.map((value) => ({ value, active: true })), { value: retired, active: false }]);
}

/** A question for how to reach somebody. */
export function asksContact(question: string, collects: ContactParts): Question {
  return { ...asks('contact')(question), collects };
}

/** The same question, which has to be answered. */
export function required(question: Question): Question {
  return { ...question, isRequired: true };
}
