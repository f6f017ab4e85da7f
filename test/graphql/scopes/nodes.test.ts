import { expect, it } from 'vitest';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { errorsIn } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { allBut, keyWithScopes } from './scoped-key.ts';

const NODES: readonly [kind: string, scope: Scope, id: string][] = [
  ['Member', 'members.view', newId('mem')],
  ['Designation', 'members.view', newId('dsg')],
  ['Tag', 'tags.view', newId('tag')],
  ['Department', 'departments.view', newId('dep')],
  ['PrayerRequest', 'prayer_requests.view', newId('pry')],
  ['Form', 'forms.view', 'form_1'],
  ['FormField', 'forms.view', 'field_1'],
  ['FormResponse', 'form_responses.view', newId('frs')],
  ['Event', 'events.view', newId('evt')],
  ['Service', 'services.view', newId('svc')],
];

onOneStore((service) => {
  it.each(NODES)(
    'rejects a node of type %s without the scope %s, and reads nothing for it',
    async (_kind, scope, id) => {
      const { ask, during } = await keyWithScopes(service, ...allBut(scope));
      const { result, statements } = await during(() =>
        ask('query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id, $id]) { id } }', { id }),
      );
      expect(result.json.data).toEqual({ node: null, nodes: [null, null] });
      expect(errorsIn(result).map(({ code }) => code)).toEqual(['missing_scope', 'missing_scope', 'missing_scope']);
      expect(statements).toHaveLength(1);
    },
  );

  it.each(['tag', 'tagx', 'memx', 'fieldx', 'field', '_', ''])(
    'treats the malformed id %o as unknown, whatever the scopes',
    async (id) => {
      const { ask } = await keyWithScopes(service, 'events.view');
      const result = await ask('query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } }', { id });
      expect(result.json.data).toEqual({ node: null, nodes: [null] });
      expect(errorsIn(result).map(({ code }) => code)).toEqual(['not_found', 'not_found']);
    },
  );
});
