import type { FieldError } from '../../../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../../domain/core/limits.ts';
import { emptyHtml, type Html, html } from '../../../pages/html.ts';

/** The texts that people write about a key. */
export interface KeyTexts {
  readonly name: string;
  readonly description: string;
}

/** The fields for the name and the description of a key, with their problems. */
export function keyTextFields({ name, description }: KeyTexts, problems: readonly FieldError[]): Html {
  const nameProblem = problemOf(problems, 'name');
  const descriptionProblem = problemOf(problems, 'description');
  return html`
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" value="${name}" required maxlength="${MAX_SHORT_TEXT_CHARACTERS}" autocomplete="off"
            aria-describedby="name-hint${nameProblem ? ' name-problem' : ''}"${invalid(nameProblem)}>
          <p class="hint" id="name-hint">So you can recognize it.</p>
          ${fieldProblem('name', nameProblem)}
        </div>
        <div class="field">
          <label for="description">Description (optional)</label>
          <input id="description" name="description" value="${description}" maxlength="${MAX_SHORT_TEXT_CHARACTERS}"
            autocomplete="off" aria-describedby="description-hint${descriptionProblem ? ' description-problem' : ''}"${invalid(descriptionProblem)}>
          <p class="hint" id="description-hint">Where the key is used, and who to ask about it.</p>
          ${fieldProblem('description', descriptionProblem)}
        </div>`;
}

/** The message of the first problem of a field of a form, or of one of its items. */
export function problemOf(problems: readonly FieldError[], field: string): string | undefined {
  return problems.find((problem) => problem.field.split('.')[0] === field)?.message;
}

/** The message below a field, to which its `aria-describedby` refers as `ID-problem`. */
export function fieldProblem(id: string, problem: string | undefined): Html {
  return problem === undefined ? emptyHtml : html`<p class="problem" id="${id}-problem">${capital(problem)}.</p>`;
}

function invalid(problem: string | undefined): Html {
  return problem === undefined ? emptyHtml : html` aria-invalid="true"`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
