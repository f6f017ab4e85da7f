import type { Example } from './config.ts';

/** A tab as GraphiQL stores it. */
interface Tab {
  readonly id: string;
  readonly title: string;
  readonly query: string | null;
  readonly variables: string | null;
  readonly operationName: string | null;
  readonly headers: null;
  readonly response: null;
}

/** The tabs, as GraphiQL stores them. */
export interface Tabs {
  readonly tabs: readonly Tab[];
  readonly activeTabIndex: number;
}

type Operation = Pick<Tab, 'query' | 'variables'>;

/**
 * The stored tabs that are not empty; the first example if there are none.
 *
 * @param stored JSON; ignored if invalid.
 */
export function previousTabs(stored: string | null, examples: readonly Example[]): Tabs {
  const { tabs, activeTabIndex } = parse(stored);
  const filled = tabs.filter((tab) => text(tab?.query)?.trim());
  if (filled.length === 0) return { tabs: examples.slice(0, 1).map(toTab), activeTabIndex: 0 };
  const active = tabs[activeTabIndex];
  return { tabs: filled.map(toTab), activeTabIndex: Math.max(0, active ? filled.indexOf(active) : 0) };
}

/** The operation of a link, from the fragment or the search parameters of its address. */
export function linkedOperation(hash: string, search: string): Operation | undefined {
  for (const part of [hash, search]) {
    const parameters = new URLSearchParams(part.slice(1));
    const query = parameters.get('query');
    if (query?.trim()) return { query, variables: parameters.get('variables') };
  }
  return undefined;
}

/** Activates the tab that has an operation, see {@link findOperation}, or adds one. */
export function openOperation({ tabs, activeTabIndex }: Tabs, operation: Operation): Tabs {
  const index = findOperation({ tabs, activeTabIndex }, operation);
  return index >= 0
    ? { tabs, activeTabIndex: index }
    : { tabs: [...tabs, toTab(operation)], activeTabIndex: tabs.length };
}

/** The index of a tab that has this query and, unless null, these variables, preferably the active tab; -1 if none. */
export function findOperation(
  { tabs, activeTabIndex }: { readonly tabs: readonly Partial<Operation>[]; readonly activeTabIndex: number },
  { query, variables }: Operation,
): number {
  const isOpen = (tab: Partial<Operation> | undefined) =>
    tab?.query === query && (variables === null || (tab?.variables ?? '') === variables);
  return isOpen(tabs[activeTabIndex]) ? activeTabIndex : tabs.findIndex(isOpen);
}

/** The fragment of a tab's address. Unlike search parameters, it is not sent to the server, so it is not logged. */
export function fragmentOf({ query, variables }: Partial<Operation>): string {
  const parameters = new URLSearchParams();
  if (query) parameters.set('query', query);
  if (query && variables) parameters.set('variables', variables);
  const fragment = parameters.toString();
  return fragment && `#${fragment}`;
}

/**
 * The operation name to send; undefined if the document has one operation. When tabs change, GraphiQL keeps the name from the
 * previous tab until it has parsed the new text, so a name that the document does not contain is ignored.
 */
export function operationNameIn(query: string, name: string | null | undefined): string | undefined {
  const names = [...query.matchAll(/\b(?:query|mutation|subscription)\s+(\w+)/g)].map(([, found]) => found);
  return names.length > 1 && name && names.includes(name) ? name : undefined;
}

function parse(stored: string | null): { tabs: Partial<Tab>[]; activeTabIndex: number } {
  try {
    const { tabs, activeTabIndex } = JSON.parse(stored ?? '');
    if (Array.isArray(tabs)) return { tabs, activeTabIndex };
  } catch {
    // Invalid JSON is treated as no tabs.
  }
  return { tabs: [], activeTabIndex: 0 };
}

function toTab({ id, query, variables, operationName }: Partial<Tab>): Tab {
  const name = /^\s*(?:query|mutation|subscription)\s+(\w+)/m.exec(query ?? '')?.[1];
  return {
    id: text(id) ?? Math.random().toString(36).slice(2),
    title: text(operationName) ?? name ?? '<untitled>',
    query: text(query),
    variables: text(variables),
    operationName: text(operationName) ?? name ?? null,
    headers: null,
    response: null,
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
