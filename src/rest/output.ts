import type { Page } from '../domain/page.ts';

/** How an operation's result becomes a response: its status and its body. */
export interface Output<Result> {
  readonly status: 200 | 201;
  body(result: Result): object | Promise<object>;
}

/** 200 and `{ data: record }`. */
export function record<Record>(present: (record: Record) => object): Output<Record> {
  return { status: 200, body: (result) => ({ data: present(result) }) };
}

/** 201 and `{ data: record }`. */
export function created<Record>(present: (record: Record) => object): Output<Record> {
  return { status: 201, body: (result) => ({ data: present(result) }) };
}

/** 200 and `{ data: [record…], pagination: { next_cursor, has_more } }`. */
export function list<Record>(present: (record: Record) => object): Output<Page<Record>> {
  return {
    status: 200,
    body: async (page) => {
      const more = await page.hasNextPage();
      return {
        data: page.edges.map(({ node }) => present(node)),
        pagination: { next_cursor: more ? (page.edges.at(-1)?.cursor ?? null) : null, has_more: more },
      };
    },
  };
}
