import { capitalize } from '../../../domain/values/words.ts';
import { type Html, html, joinHtml } from '../../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import type { ErrorCase, Operation } from './description.ts';

/** The errors that every operation can return. The reference describes them once. */
export function commonErrors(operations: readonly Operation[]): ErrorCase[] {
  const [first, ...others] = operations;
  return (first?.errors ?? []).filter(({ code }) =>
    others.every(({ errors }) => errors.some((other) => other.code === code)),
  );
}

/** The errors of an operation except the common ones, collapsed. @param common the errors of every operation. */
export function operationErrors({ errors }: Operation, common: readonly ErrorCase[]): Html {
  const specific = errors.filter(({ code }) => !common.some((other) => other.code === code));
  return html`<details class="errors"><summary>Errors</summary>
${specific.length > 0 && errorList(specific)}
<p>${specific.length > 0 ? 'And those' : 'Those'} of <a href="#errors">every request</a>: ${joinHtml(common.map(({ code }) => html`<code>${code}</code>`))}.</p></details>`;
}

/** All errors of the API, each with an example of its message. */
export function allErrors(operations: readonly Operation[]): Html {
  const errors = operations.flatMap(({ errors }) => errors);
  const first = errors.filter(({ code }, index) => errors.findIndex((other) => other.code === code) === index);
  const sorted = first.sort((a, b) => Number(a.status) - Number(b.status));
  return errorList(sorted, ({ message }) => html`<span class="limits">“${message}”</span>`);
}

function errorList(errors: readonly ErrorCase[], more?: (error: ErrorCase) => Html): Html {
  return html`<dl class="fields">${errors.map(
    (error) =>
      html`<div${more && html` id="error-${error.code}"`}><dt><code>${error.code}</code> <span class="type">${error.status}</span></dt><dd>${inlineMarkdown(`${capitalize(error.when)}.`)} ${more?.(error)}</dd></div>`,
  )}</dl>`;
}
