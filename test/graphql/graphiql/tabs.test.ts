import { describe, expect, it } from 'vitest';
import {
  findOperation,
  fragmentOf,
  linkedOperation,
  openOperation,
  operationNameIn,
  previousTabs,
} from '../../../src/graphql/graphiql/browser/tabs.ts';

const EXAMPLES = [
  { title: 'Directory', description: 'All', query: 'query Directory { a }', variables: null },
  { title: 'Form', description: '', query: 'mutation Form { b }', variables: '{ "id": 1 }' },
];
const titles = ({ tabs }: ReturnType<typeof previousTabs>) => tabs.map(({ title }) => title);

describe('the tabs of the last visit', () => {
  it.each([null, '', '{', 'null', '{"tabs":5}', '{"tabs":[null]}', '{"tabs":[{"query":" "}],"activeTabIndex":7}'])(
    'are the first example if %j was stored',
    (stored) => {
      const tabs = previousTabs(stored, EXAMPLES);
      expect([titles(tabs), tabs.activeTabIndex]).toEqual([['Directory'], 0]);
    },
  );

  it('are restored without empty tabs, with the same active tab', () => {
    const stored = {
      tabs: [{ query: '{ a }' }, { query: '' }, { query: 'query B { b }', id: '7' }],
      activeTabIndex: 2,
    };
    const tabs = previousTabs(JSON.stringify(stored), EXAMPLES);
    expect([titles(tabs), tabs.activeTabIndex, tabs.tabs[1]?.id]).toEqual([['<untitled>', 'B'], 1, '7']);
  });

  it('keep neither headers nor responses', () => {
    const stored = { tabs: [{ query: '{ a }', headers: '{}', response: '{}' }], activeTabIndex: 0 };
    expect(previousTabs(JSON.stringify(stored), []).tabs[0]).toMatchObject({ headers: null, response: null });
  });
});

describe('a link', () => {
  it.each([
    ['#query=%7Ba%7D&variables=%7B%7D', '', { query: '{a}', variables: '{}' }],
    ['', '?query=%7Ba%7D', { query: '{a}', variables: null }],
    ['#query=', '?query=%7Bb%7D', { query: '{b}', variables: null }],
    ['#root', '', undefined],
  ])('contains the operation of %j and %j', (hash, search, expected) => {
    expect(linkedOperation(hash, search)).toEqual(expected);
  });

  it('opens the tab with its operation, or a new one', () => {
    const stored = { tabs: EXAMPLES, activeTabIndex: 0 };
    const tabs = previousTabs(JSON.stringify(stored), EXAMPLES);
    expect(openOperation(tabs, { query: 'mutation Form { b }', variables: null }).activeTabIndex).toBe(1);
    const opened = openOperation(tabs, { query: 'mutation Form { b }', variables: '{}' });
    expect([titles(opened), opened.activeTabIndex]).toEqual([['Directory', 'Form', 'Form'], 2]);
  });

  it('is created from a tab, and opens the same operation', () => {
    const operation = { query: '{ a(b: "ü&#") }', variables: '{ "c": 1 }' };
    expect(linkedOperation(fragmentOf(operation), '')).toEqual(operation);
    expect(fragmentOf({ query: '', variables: '{}' })).toBe('');
  });
});

it('prefers the active tab among those with the same operation', () => {
  const tabs = [{ query: '{ a }' }, { query: '{ a }' }];
  expect(findOperation({ tabs, activeTabIndex: 1 }, { query: '{ a }', variables: null })).toBe(1);
});

it.each([
  ['query A { a } query B { b }', 'B', 'B'],
  ['query A { a }', 'A', undefined],
  ['query A { a } query B { b }', 'C', undefined],
  ['{ B }', 'B', undefined],
  ['query A { a }', null, undefined],
])('of %j, sends the operation name %j as %j', (query, name, expected) => {
  expect(operationNameIn(query, name)).toBe(expected);
});
