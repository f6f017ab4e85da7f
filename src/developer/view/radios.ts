import { type Html, html } from '../../pages/html.ts';

/** An option of a choice. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Choices as radio buttons. */
export function radios(name: string, choices: readonly Choice[], chosen: string): Html[] {
  return choices.map(
    ({ value, label }) => html`
            <label class="choice">
              <input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}>
              <span>${label}</span>
            </label>`,
  );
}
