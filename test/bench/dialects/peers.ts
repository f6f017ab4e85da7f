import type { Organization } from '../data-set.ts';
import type { Dialect } from './dialect.ts';
import { connectionDialect } from './graphql.ts';

/** The header with which servers without keys are told the organization. */
const organizationHeader = ({ id }: Organization) => ({ 'X-Organization': id });

/** GraphQL with Relay connections, in which cursors are positions. */
export const byPosition = connectionDialect({
  headers: organizationHeader,
  cursor: (_organization, _list, { position }) => String(position),
});

interface Body {
  readonly data: unknown;
  readonly next_cursor?: unknown;
}

/** JSON over HTTP without an envelope; cursors are the positions of rows. */
export const plain: Dialect = {
  request(asked, organization) {
    const headers = organizationHeader(organization);
    switch (asked.kind) {
      case 'list':
        return { method: 'GET', path: `/members?limit=${asked.limit}&after=${asked.after?.position ?? 0}`, headers };
      case 'search':
        return { method: 'GET', path: `/members?limit=25&q=${asked.text}`, headers };
      case 'get':
        return { method: 'GET', path: `/members/${asked.id}`, headers };
      case 'departments':
        return { method: 'GET', path: `/departments?after=${asked.after?.position ?? 0}`, headers };
      case 'create':
        return { method: 'POST', path: '/members', headers, body: asked.member };
    }
  },
  answer(_asked, body) {
    const { data, next_cursor } = body as Body;
    return next_cursor === undefined ? { data } : { data, more: next_cursor !== null };
  },
};
