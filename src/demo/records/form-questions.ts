import type { ContactParts, FieldType, FormFieldOption } from '../../domain/entities/form.ts';

/** A form of the demo organization, as defined in `forms.ts`. */
export interface DemoForm {
  readonly title: string;
  readonly description: string | null;
  readonly isPublished: boolean;
  readonly acceptingResponse: boolean;
  readonly responses: number;
  readonly questions: readonly Question[];
}

/** A question of a demo form with its answers. */
export interface Question {
  readonly question: string;
  readonly fieldType: FieldType;
  readonly isRequired: boolean;
  readonly description: string | null;
  readonly options: FormFieldOption[] | null;
  readonly collects: ContactParts | null;
  /** Answers, for types whose answers follow neither from options nor from the person. */
  readonly samples: readonly (string | number)[];
}

type Details = Partial<Pick<Question, 'description' | 'samples'>>;
type Writing = (question: string, details?: Details) => Question;

/** A question with text or number answers, or answers that follow from the person. */
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

/** A question with options; the inactive one is kept for old answers. */
export function asksChoice(
  fieldType: 'dropdown' | 'single_choice' | 'multiple_choice',
  choices: readonly string[],
  retired: string,
): Writing {
  return asks(fieldType, [...choices.map((value) => ({ value, active: true })), { value: retired, active: false }]);
}

/** A question for contact details. */
export function asksContact(question: string, collects: ContactParts): Question {
  return { ...asks('contact')(question), collects };
}

/** A required version of a question. */
export function required(question: Question): Question {
  return { ...question, isRequired: true };
}
