/** The items with the tabs and the active operation. */
const TAB_ITEMS = ['tabState', 'query', 'variables'].map((name) => `graphiql:${name}`);

/** The items with GraphiQL's history, which includes the headers of requests. */
const HISTORY_ITEMS = ['graphiql:queries', 'graphiql:favorites'];

/** The parts of the browser's storage that GraphiQL uses. */
type ItemStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'>;

/**
 * Creates GraphiQL's storage. Its history is stored without headers, which may contain keys.
 *
 * @param tabs stores the tabs.
 * @param others stores everything else.
 */
export function createStorage(tabs: ItemStorage, others: ItemStorage): ItemStorage {
  const storageOf = (name: string) => (TAB_ITEMS.includes(name) ? tabs : others);
  return {
    getItem: (name) => storageOf(name).getItem(name),
    setItem: (name, value) =>
      storageOf(name).setItem(name, HISTORY_ITEMS.includes(name) ? withoutHeaders(value) : value),
    removeItem: (name) => storageOf(name).removeItem(name),
    clear: () => others.clear(),
    get length() {
      return others.length;
    },
  };
}

function withoutHeaders(json: string): string {
  return JSON.stringify(JSON.parse(json), (name, value) => (name === 'headers' ? undefined : value));
}
