/**
 * Completes what GraphiQL renders, now and after each change: names and roles for screen readers, the keyboard in the
 * explorer, and the active tab in view.
 */
export function completeMarkup(root: HTMLElement): void {
  const followActiveTab = createTabFollower(root);
  const complete = () => {
    followActiveTab();
    completeTabs(root);
    completeExplorer(root);
    // Its label says something else than its text.
    for (const item of root.querySelectorAll('.graphiql-history-item-label')) item.removeAttribute('aria-label');
  };
  const attributeFilter = ['role', 'class', 'aria-selected', 'aria-expanded'];
  new MutationObserver(complete).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  root.addEventListener('keydown', pressExplorerItem);
}

/** Screen readers skip the buttons that GraphiQL has inside of tabs: here the tabs are a list of buttons. */
function completeTabs(root: HTMLElement): void {
  for (const list of root.querySelectorAll('.graphiql-tabs')) set(list, 'role', 'list');
  for (const tab of root.querySelectorAll('.graphiql-tab')) {
    set(tab, 'role', 'listitem');
    tab.removeAttribute('aria-selected');
    const button = tab.querySelector('.graphiql-tab-button');
    if (!button) continue;
    set(button, 'aria-current', String(tab.classList.contains('graphiql-tab-active')));
    set(button, 'title', button.textContent ?? '');
    const close = tab.querySelector('.graphiql-tab-close');
    if (close) set(close, 'aria-label', `Close ${button.textContent}`);
  }
}

/** The explorer's fields are elements that only a mouse can press. */
const EXPLORER_ITEM = '.graphiql-explorer-root span[style*="cursor: pointer"]';

function completeExplorer(root: HTMLElement): void {
  for (const select of root.querySelectorAll('.graphiql-plugin select')) set(select, 'aria-label', 'Kind of operation');
  for (const input of root.querySelectorAll('.graphiql-explorer-root input[type="text"]')) {
    if (!input.hasAttribute('aria-label')) set(input, 'aria-label', 'Value');
  }
  for (const item of root.querySelectorAll(EXPLORER_ITEM)) {
    set(item, 'role', 'button');
    set(item, 'tabindex', '0');
  }
}

function pressExplorerItem(event: KeyboardEvent): void {
  const item = event.target;
  if (!(item instanceof HTMLElement)) return;
  if (!['Enter', ' '].includes(event.key) || !item.matches(EXPLORER_ITEM)) return;
  event.preventDefault();
  item.click();
}

/** The strip of tabs scrolls: the active tab is kept in view when it changes and when there is less room. */
function createTabFollower(root: HTMLElement): () => void {
  let active: HTMLElement | undefined;
  const show = () => {
    const strip = active?.parentElement;
    if (!active || !strip) return;
    const inner = active.getBoundingClientRect();
    const outer = strip.getBoundingClientRect();
    const left = inner.left - outer.left;
    const right = inner.right - outer.right;
    if (left < 0 || right > 0) strip.scrollLeft += left < 0 ? left : Math.min(left, right);
  };
  const resized = new ResizeObserver(show);
  return () => {
    const tab = root.querySelector<HTMLElement>('.graphiql-tab-active');
    if (!tab || tab === active) return;
    active = tab;
    resized.disconnect();
    for (const element of [tab, tab.parentElement]) if (element) resized.observe(element);
  };
}

function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
