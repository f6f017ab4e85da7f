import { encodeCursor } from '../../../src/domain/cursors/cursor.ts';
import type { Organization } from '../data-set.ts';
import type { ListPosition } from '../workloads.ts';
import type { Dialect } from './dialect.ts';
import { connectionDialect } from './graphql.ts';

/** The REST API of this service. */
export const serviceRest: Dialect = {
  request(asked, organization) {
    const headers = { 'X-Api-Key': organization.key };
    switch (asked.kind) {
      case 'list': {
        const cursor = asked.after ? `&cursor=${cursorOf(organization, 'members', asked.after)}` : '';
        return { method: 'GET', path: `/v1/members?limit=${asked.limit}${cursor}`, headers };
      }
      case 'search':
        return { method: 'GET', path: `/v1/members?limit=25&q=${asked.text}`, headers };
      case 'get':
        return { method: 'GET', path: `/v1/members/${asked.id}`, headers };
      case 'create':
        return { method: 'POST', path: '/v1/members', headers, body: asked.member };
      case 'departments':
        throw new Error('REST does not support this request');
    }
  },
  answer(_asked, body) {
    const { data, pagination } = body as { data: unknown; pagination?: { has_more: boolean } };
    return pagination ? { data, more: pagination.has_more } : { data };
  },
};

/** The GraphQL API of this service. */
export const serviceGraphQL: Dialect = connectionDialect({
  headers: ({ key }) => ({ 'X-Api-Key': key }),
  cursor: cursorOf,
});

function cursorOf({ appSecret, id: organizationId }: Organization, list: string, { position }: ListPosition): string {
  return encodeCursor(appSecret, { organizationId, list, search: undefined }, BigInt(position));
}
