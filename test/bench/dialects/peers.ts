import type { Organization } from '../world.ts';
import { connectionDialect } from './graphql.ts';

/** The header with which servers without keys are told the organization. */
export function organizationHeader({ id }: Organization): Record<string, string> {
  return { 'X-Organization': id };
}

/** GraphQL with Relay connections, in which cursors are positions. */
export const byPosition = connectionDialect({
  headers: organizationHeader,
  cursor: (_organization, _list, { position }) => String(position),
});
