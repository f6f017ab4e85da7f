import type { FieldError } from '../../../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../../domain/core/limits.ts';
import { type Html, html } from '../../../pages/html.ts';
import { field } from '../form.ts';

/** The name and the description of a key. */
export interface KeyTexts {
  readonly name: string;
  readonly description: string;
}

/** The fields for the name and the description of a key, with their problems. */
export function keyTextFields({ name, description }: KeyTexts, problems: readonly FieldError[]): Html {
  return html`${field({
    id: 'name',
    label: 'Name',
    hint: 'So you can recognize it.',
    problem: problemOf(problems, 'name'),
    attributes: html`value="${name}" required maxlength="${MAX_SHORT_TEXT_CHARACTERS}" autocomplete="off"`,
  })}${field({
    id: 'description',
    label: 'Description (optional)',
    problem: problemOf(problems, 'description'),
    attributes: html`value="${description}" maxlength="${MAX_SHORT_TEXT_CHARACTERS}" autocomplete="off"`,
    hint: 'Where the key is used, and who to ask about it.',
  })}`;
}

/** The message of the first problem of a field of a form, or of one of its items. */
export function problemOf(problems: readonly FieldError[], field: string): string | undefined {
  return problems.find((problem) => problem.field.split('.')[0] === field)?.message;
}
