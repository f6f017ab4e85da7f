import type { ContactParts, FieldType, FormFieldOption } from '../../domain/entities/form-field.ts';

/** A form of the demo organization, as defined in `forms.ts`. */
export interface DemoForm {
  readonly title: string;
  readonly description: string | null;
  readonly isPublished: boolean;
  readonly acceptingResponse: boolean;
  /** The number of responses. */
  readonly responses: number;
  readonly questions: readonly Question[];
}

/** A field of a demo form. */
export interface Question {
  readonly question: string;
  readonly fieldType: FieldType;
  readonly isRequired: boolean;
  readonly description: string | null;
  readonly options: FormFieldOption[] | null;
  readonly collects: ContactParts | null;
  /** Sample answers, for types whose answers are not derived from the options or the respondent. */
  readonly samples: readonly (string | number)[];
}

/** Defines a question. */
export function question(
  fieldType: FieldType,
  text: string,
  details: Partial<Omit<Question, 'question' | 'fieldType'>> = {},
): Question {
  return {
    question: text,
    fieldType,
    isRequired: false,
    description: null,
    options: null,
    collects: null,
    samples: [],
    ...details,
  };
}

/** Defines a question with options. @param inactiveChoice an option that can no longer be chosen. */
export function choiceQuestion(
  fieldType: 'dropdown' | 'single_choice' | 'multiple_choice',
  text: string,
  choices: readonly string[],
  inactiveChoice: string,
): Question {
  const active = choices.map((value) => ({ value, active: true }));
  return question(fieldType, text, { options: [...active, { value: inactiveChoice, active: false }] });
}

/** Defines a question for contact details. */
export function contactQuestion(text: string, collects: ContactParts): Question {
  return question('contact', text, { collects });
}

/** Returns a copy of the question that must be answered. */
export function required(question: Question): Question {
  return { ...question, isRequired: true };
}
