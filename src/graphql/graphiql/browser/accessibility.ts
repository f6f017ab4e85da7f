/**
 * Makes GraphiQL accessible: sets names and roles for screen readers (again after each change of the DOM), makes the
 * explorer usable with the keyboard, returns the focus from dialogs, and scrolls the active tab into view.
 */
export function makeAccessible(root: HTMLElement): void {
  const scrollToActiveTab = createTabScroller(root);
  const update = () => {
    scrollToActiveTab();
    labelTabs(root);
    labelExplorer(root);
    // The label differs from the visible text.
    for (const item of root.querySelectorAll('.graphiql-history-item-label')) item.removeAttribute('aria-label');
  };
  const attributeFilter = ['role', 'class', 'aria-selected', 'aria-expanded'];
  new MutationObserver(update).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  root.addEventListener('keydown', pressExplorerItem);
  returnFocusFromDialogs(root);
}

/** When a dialog of GraphiQL closes, nothing has the focus; it returns to the button that opened the dialog. */
function returnFocusFromDialogs(root: HTMLElement): void {
  let focused: HTMLElement | undefined;
  root.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) focused = target;
  });
  new MutationObserver((changes) => {
    const removed = changes.flatMap(({ removedNodes }) => [...removedNodes]);
    if (removed.some((node) => node instanceof HTMLElement && node.role === 'dialog')) focused?.focus();
  }).observe(document.body, { childList: true });
}

/** Screen readers ignore buttons inside of tabs, so the tabs are presented as a list of buttons. */
function labelTabs(root: HTMLElement): void {
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

/** The fields in the explorer, which GraphiQL makes clickable but not focusable. */
const EXPLORER_ITEM = '.graphiql-explorer-root span[style*="cursor: pointer"]';

function labelExplorer(root: HTMLElement): void {
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

/** Scrolls the active tab into view when another one becomes active, and when sizes change. */
function createTabScroller(root: HTMLElement): () => void {
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
