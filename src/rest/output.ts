import { z } from 'zod';
import type { JsonRecord } from '../domain/lists/json-record.ts';
import type { Page } from '../domain/lists/page.ts';
import type { Fields } from '../domain/lists/projection.ts';
import type { RecordShape } from './record.ts';

/** How an operation's result becomes a response: its status, its body, and the schema of that. */
export interface Output<Result> {
  readonly status: 200 | 201;
  readonly schema: z.ZodObject;
  /** A body that the demo organization gives. */
  readonly example: object;
  /** What the operation is to read. */
  readonly fields?: Fields;
  /** The body as JSON. What PostgreSQL wrote is passed on as it is. */
  body(result: Result): string | Promise<string>;
}

/** What {@link RecordShape.present} takes: a record as the domain gives it. */
type Shown<Schema extends z.ZodObject> = Parameters<RecordShape<Schema>['present']>[0];

/** 200 and `{ data: record }` of a record that was read. */
export function record<Schema extends z.ZodObject>(shape: RecordShape<Schema>): Output<JsonRecord<Shown<Schema>>> {
  return {
    status: 200,
    schema: z.object({ data: shape.schema }),
    example: { data: shape.example },
    fields: shape.fields,
    body: ({ json }) => `{"data":${json}}`,
  };
}

/** 200 and `{ data: record }` of a record that was changed. */
export function changed<Schema extends z.ZodObject>(shape: RecordShape<Schema>): Output<Shown<Schema>> {
  return {
    status: 200,
    schema: z.object({ data: shape.schema }),
    example: { data: shape.example },
    body: (result) => JSON.stringify({ data: shape.present(result) }),
  };
}

/** 201 and `{ data: record }`. */
export function created<Schema extends z.ZodObject>(shape: RecordShape<Schema>): Output<Shown<Schema>> {
  return { ...changed(shape), status: 201 };
}

/** 200 and `{ data: [record…] }`: all there are. */
export function records<Schema extends z.ZodObject, Result>(
  shape: RecordShape<Schema>,
  of: (result: Result) => readonly Shown<Schema>[],
): Output<Result> {
  return {
    status: 200,
    schema: z.object({ data: z.array(shape.schema) }),
    example: { data: [shape.example] },
    body: (result) => JSON.stringify({ data: of(result).map(shape.present) }),
  };
}

const pagination = z
  .object({
    next_cursor: z
      .string()
      .meta({ description: 'The `cursor` of the next page; null on the last one. Opaque.' })
      .nullable(),
    has_more: z.boolean().meta({ description: 'Whether there is a next page.' }),
    total_count: z.int().nullable().optional().meta({
      description:
        'The number of records of the whole list; null if there are more than 10,000. Only with `count=true`.',
    }),
    total_count_at_least: z
      .int()
      .optional()
      .meta({ description: '`total_count`, or 10,000 if there are more. Only with `count=true`.' }),
  })
  .meta({ id: 'Pagination', description: 'How a list goes on.' });

/** 200 and `{ data: [record…], pagination: { next_cursor, has_more } }`. */
export function list<Schema extends z.ZodObject>(shape: RecordShape<Schema>): Output<Page<Shown<Schema>>> {
  return {
    status: 200,
    schema: z.object({ data: z.array(shape.schema), pagination }),
    example: { data: [shape.example], pagination: { next_cursor: null, has_more: false } },
    fields: shape.fields,
    body: async (page) => {
      const more = await page.hasNextPage();
      const pagination = { next_cursor: more ? page.endCursor : null, has_more: more, ...(await countOf(page)) };
      return `{"data":${page.json},"pagination":${JSON.stringify(pagination)}}`;
    },
  };
}

async function countOf(page: Page<unknown>): Promise<object | undefined> {
  if (!page.isCountRequested) return undefined;
  const { exact, atLeast } = await page.count();
  return { total_count: exact, total_count_at_least: atLeast };
}
