/** The items with GraphiQL's history, which includes the headers of requests. */
const HISTORY_ITEMS = ['graphiql:queries', 'graphiql:favorites'];

/** The parts of the browser's storage that GraphiQL uses. */
type ItemStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'>;

/** Wraps a storage so that GraphiQL's history is stored without headers, which may contain keys. */
export function storageWithoutHeaders(storage: ItemStorage): ItemStorage {
  return {
    getItem: (name) => storage.getItem(name),
    setItem: (name, value) => storage.setItem(name, HISTORY_ITEMS.includes(name) ? withoutHeaders(value) : value),
    removeItem: (name) => storage.removeItem(name),
    clear: () => storage.clear(),
    get length() {
      return storage.length;
    },
  };
}

function withoutHeaders(json: string): string {
  return JSON.stringify(JSON.parse(json), (name, value) => (name === 'headers' ? undefined : value));
}
