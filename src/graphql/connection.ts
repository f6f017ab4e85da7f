import type { ConnectionShape } from '@pothos/plugin-relay';
import type { Page } from '../domain/page.ts';
import type { builder } from './builder.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/** A page of the domain as a connection. What may cost a statement is looked up only where it is selected. */
export function toConnection<Node>(page: Page<Node>) {
  const connection = {
    page,
    get edges() {
      return page.edges;
    },
    pageInfo: {
      get hasNextPage() {
        return page.hasNextPage();
      },
      get hasPreviousPage() {
        return page.hasPreviousPage();
      },
      get startCursor() {
        return page.startCursor;
      },
      get endCursor() {
        return page.endCursor;
      },
    },
  };
  return connection as unknown as ConnectionShape<SchemaTypes, Node, false>;
}
