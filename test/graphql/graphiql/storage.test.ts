import { expect, it } from 'vitest';
import { storageWithoutHeaders } from '../../../src/graphql/graphiql/browser/storage.ts';

it('stores the history without the headers of its requests', () => {
  const items = new Map<string, string>();
  const storage = storageWithoutHeaders({
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
    get length() {
      return items.size;
    },
  });
  const item = { query: '{ headers }', variables: '{ "headers": 1 }', headers: '{ "X-Api-Key": "cms_secret" }' };
  for (const name of ['queries', 'favorites']) {
    storage.setItem(`graphiql:${name}`, JSON.stringify({ [name]: [item] }));
    const stored = storage.getItem(`graphiql:${name}`) ?? '';
    expect(JSON.parse(stored)).toEqual({ [name]: [{ query: item.query, variables: item.variables }] });
  }
  storage.setItem('graphiql:theme', 'dark');
  expect([storage.getItem('graphiql:theme'), storage.length]).toEqual(['dark', 3]);
});
