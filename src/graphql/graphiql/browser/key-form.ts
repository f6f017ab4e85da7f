import type { ExplainState } from './live-explain.ts';

/** The item of the session storage with the key of the browser tab, which the other pages of the service use too. */
const STORED_KEY = 'api-key';

/** The codes of errors that are shown beside the key. */
const KEY_ERRORS = ['missing_api_key', 'invalid_api_key', 'key_revoked', 'key_expired', 'unavailable'];

/** The key of this browser tab: the demo organization's unless another one was entered. */
export function currentKey(demoKey: string): string {
  return sessionStorage.getItem(STORED_KEY) ?? demoKey;
}

/**
 * Fills in the form with the key. If another key is entered, the page is reloaded with it.
 *
 * @returns a function that shows the error of the key, or that the key is in use if there is none.
 */
export function startKeyForm(key: string, demoKey: string): (problem: ExplainState['problem']) => void {
  const field = document.getElementById('api-key') as HTMLInputElement;
  const status = document.getElementById('key-status') as HTMLElement;
  const demoButton = document.getElementById('use-demo-key') as HTMLButtonElement | null;
  const show = (state: 'typing' | 'problem' | 'accepted', text: string) => {
    status.dataset.state = state;
    if (status.textContent !== text) status.textContent = text;
  };
  const use = (entered: string) => {
    if (entered === key) return;
    if (entered === demoKey) sessionStorage.removeItem(STORED_KEY);
    else sessionStorage.setItem(STORED_KEY, entered);
    location.reload();
  };
  field.value = key;
  if (demoButton) demoButton.hidden = key === demoKey;
  field.addEventListener('input', () => show('typing', 'Press Enter to use this key.'));
  field.addEventListener('change', () => use(field.value.trim()));
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    use(field.value.trim());
  });
  demoButton?.addEventListener('click', () => use(demoKey));
  return (problem) => {
    if (field.value.trim() !== key) return;
    if (problem && KEY_ERRORS.includes(problem.code)) show('problem', problem.message);
    else if (key === demoKey) show('accepted', 'The demo organization’s key is filled in.');
    else show('accepted', 'Your key, kept in this browser tab only.');
  };
}
