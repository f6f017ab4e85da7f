import { type Html, html, nothing } from '../../pages/html.ts';

/** What somebody can choose from a few. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Choices of which one is taken, as radio buttons. */
export function radios(name: string, choices: readonly Choice[], chosen: string): Html[] {
  return choices.map(
    ({ value, label }) => html`
            <label class="choice">
              <input type="radio" name="${name}" value="${value}"${value === chosen ? html` checked` : nothing}>
              <span>${label}</span>
            </label>`,
  );
}
