import type { ConnectionShape } from '@pothos/plugin-relay';
import type { Page } from '../../domain/page.ts';
import type { builder } from './builder.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/**
 * A page of the domain as a connection. What may cost a statement is looked up only where it is selected: a page is
 * its own page info.
 */
export function toConnection<Node>(page: Page<Node>) {
  return new PageConnection(page) as unknown as ConnectionShape<SchemaTypes, Node, false>;
}

/** A class: an object with getters of its own costs as much as reading its page. */
class PageConnection<Node> {
  constructor(readonly page: Page<Node>) {}

  get edges() {
    return this.page.edges;
  }

  get pageInfo() {
    return this.page;
  }
}
