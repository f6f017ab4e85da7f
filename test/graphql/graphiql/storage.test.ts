import { expect, it } from 'vitest';
import { createStorage } from '../../../src/graphql/graphiql/browser/storage.ts';

function itemStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
    clear: () => items.clear(),
    get length() {
      return items.size;
    },
  };
}

it('stores the history without the headers of its requests', () => {
  const storage = createStorage(itemStorage(), itemStorage());
  const item = { query: '{ headers }', variables: '{ "headers": 1 }', headers: '{ "X-Api-Key": "cms_secret" }' };
  for (const name of ['queries', 'favorites']) {
    storage.setItem(`graphiql:${name}`, JSON.stringify({ [name]: [item] }));
    const stored = storage.getItem(`graphiql:${name}`) ?? '';
    expect(JSON.parse(stored)).toEqual({ [name]: [{ query: item.query, variables: item.variables }] });
  }
  storage.setItem('graphiql:theme', 'dark');
  expect([storage.getItem('graphiql:theme'), storage.length]).toEqual(['dark', 3]);
});

it('stores the tabs separately from everything else', () => {
  const [tabs, others] = [itemStorage(), itemStorage()];
  const storage = createStorage(tabs, others);
  for (const name of ['graphiql:tabState', 'graphiql:theme']) storage.setItem(name, 'stored');
  expect([tabs.getItem('graphiql:tabState'), others.getItem('graphiql:theme')]).toEqual(['stored', 'stored']);
  expect([tabs.length, others.length, storage.getItem('graphiql:tabState')]).toEqual([1, 1, 'stored']);
});
