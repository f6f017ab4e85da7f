import fc from 'fast-check';
import { routes } from '../../../src/rest/routes.ts';
import type { RestRequest } from './differences.ts';

/** Generates requests to every route with valid and invalid parameters and bodies. @param ids of records. */
export function randomRestRequests(ids: readonly string[]): fc.Arbitrary<RestRequest> {
  const id = fc.constantFrom(...ids, ...ids.map((one) => one.replace('form_', '')));
  const query = fc.dictionary(
    fc.constantFrom('limit', 'q', 'cursor', 'count', 'order_by', 'tag_id', 'is_guest', 'from', 'resources', 'search'),
    fc.oneof(
      id,
      fc.constantFrom('1', '5', '0', '-1', 'true', 'false', 'name', '-date', 'x', '2026-01-01', 'tags', 'members,tags'),
    ),
    { maxKeys: 3 },
  );
  const text = fc.constantFrom('A', '', null, 5, 'a@example.org', '+12025550123', 'no phone', ['tag_x'], {});
  const body = fc.dictionary(
    fc.constantFrom(
      'first_name',
      'last_name',
      'email_address',
      'phone_number',
      'description',
      'add',
      'remove',
      'answers',
      'tag_ids',
      'other',
    ),
    text,
    { maxKeys: 5 },
  );
  return fc
    .record({
      route: fc.constantFrom(...routes),
      ids: fc.array(id, { minLength: 2, maxLength: 2 }),
      query,
      body,
      plain: fc.boolean(),
    })
    .map(({ route, ids, query, body, plain }) => {
      let next = 0;
      const path = route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[next++] as string));
      const search = plain ? '' : `?${new URLSearchParams(query)}`;
      return { method: route.method, path: `${path}${search}`, body: route.method === 'GET' ? undefined : body };
    });
}
