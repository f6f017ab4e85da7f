/** The items of GraphiQL's history, each with the headers of its request. */
const HISTORY = ['graphiql:queries', 'graphiql:favorites'];

/** The parts of the browser's storage that GraphiQL uses. */
type Items = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'>;

/** A storage that keeps no headers of the history, which may contain keys. */
export function storageWithoutHeaders(storage: Items): Items {
  return {
    getItem: (name) => storage.getItem(name),
    setItem: (name, value) => storage.setItem(name, HISTORY.includes(name) ? withoutHeaders(value) : value),
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
