import type { FieldError } from '../../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../domain/values/limits.ts';
import { capitalize } from '../../domain/values/words.ts';
import { type Html, html } from '../../pages/html.ts';
import { CSRF_FIELD, NEW_ID_FIELD, newSignedId, sign } from '../form.ts';
import type { Visit } from '../session/visit.ts';

/** The CSRF token of a form. */
export function csrfField({ token }: Visit): Html {
  return html`<input type="hidden" name="${CSRF_FIELD}" value="${sign(token, CSRF_FIELD)}">`;
}

/** The id of the record that a form creates, see {@link newSignedId}. @param prefix the prefix of its ids. */
export function newIdField({ token }: Visit, prefix: string): Html {
  return html`<input type="hidden" name="${NEW_ID_FIELD}" value="${newSignedId(token, prefix)}">`;
}

interface FormOptions {
  readonly path: string;
  /** The label of the button. */
  readonly submit: string;
  /** The page to return to, without changes. */
  readonly cancel?: string;
  readonly wide?: boolean;
}

/** A form with its fields and buttons. */
export function panelForm({ path, submit, cancel, wide }: FormOptions, fields: Html): Html {
  return html`
      <form class="${wide ? 'panel' : 'panel narrow'}" method="post" action="${path}">
        ${fields}
        <div class="actions">
          <button class="button primary">${submit}</button>
          ${cancel && html`<a class="button" href="${cancel}">Cancel</a>`}
        </div>
      </form>`;
}

/** A form of a signed-in user, with its CSRF token. */
export function sessionForm(visit: Visit, options: FormOptions, fields: Html): Html {
  return panelForm(options, html`${csrfField(visit)}${fields}`);
}

/** The form that confirms an action which cannot be undone. */
export function confirmation(visit: Visit, { path, submit, cancel }: FormOptions & { readonly cancel: string }): Html {
  return html`
      <form class="actions" method="post" action="${path}">
        ${csrfField(visit)}
        <button class="button primary danger">${submit}</button>
        <a class="button" href="${cancel}">Cancel</a>
      </form>`;
}

/** The id of the input of a field: the first one, if it has several. */
export function inputId(field: string): string {
  return field.replaceAll('_', '-');
}

interface Field {
  readonly id: string;
  /** Default: the id. */
  readonly name?: string;
  readonly label: string;
  /** The other attributes of the input. */
  readonly attributes: Html;
  readonly hint?: string | Html;
  readonly problem?: string | undefined;
}

/** An input with its label, hint and error message. */
export function field({ id, name = id, label, attributes, hint, problem }: Field): Html {
  const descriptions = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return html`
        <div class="field">
          <label for="${id}">${label}</label>
          <input id="${id}" name="${name}" ${attributes}${
            descriptions && html` aria-describedby="${descriptions}"`
          }${problem && html` aria-invalid="true"`}>
          ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
          ${fieldProblem(id, problem)}
        </div>`;
}

interface TextField extends Omit<Field, 'attributes' | 'problem'> {
  readonly value: string;
  readonly isRequired?: boolean;
  readonly problems: readonly FieldError[];
}

/** An input for a short text, with the problem of the field of this name. */
export function textField({ value, isRequired, problems, ...options }: TextField): Html {
  const attributes = html`value="${value}" maxlength="${MAX_SHORT_TEXT_CHARACTERS}" autocomplete="off"${isRequired && html` required`}`;
  return field({ ...options, attributes, problem: problemOf(problems, options.name ?? options.id) });
}

/** Radio buttons with their labels. @param id of the first one. */
export function radioButtons(
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
  id: string,
): Html {
  return html`
          <div class="choices">${options.map(
            ([value, label], index) => html`
            <label class="choice">
              <input type="radio" name="${name}" value="${value}"${index === 0 && html` id="${id}"`}${value === chosen && html` checked`}>
              <span>${label}</span>
            </label>`,
          )}
          </div>`;
}

/** The message below a field, to which its `aria-describedby` refers as `ID-problem`. */
export function fieldProblem(id: string, problem: string | undefined): Html | undefined {
  return problem === undefined ? undefined : html`<p class="problem" id="${id}-problem">${capitalize(problem)}.</p>`;
}

/** The message of the first problem of a field of a form, or of one of its items. */
export function problemOf(problems: readonly FieldError[], field: string): string | undefined {
  return problems.find((problem) => problem.field.split('.')[0] === field)?.message;
}
