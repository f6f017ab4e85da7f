import { z } from 'zod';
import type { SelectedFields } from '../domain/core/operation.ts';
import type { Page } from '../domain/lists/page.ts';
import type { JsonRecord } from '../domain/records/records.ts';
import { MAX_COUNTED_RECORDS } from '../domain/values/limits.ts';
import type { RecordShape } from './record-shapes.ts';

/** Converts the result of an operation to a response. */
export interface Output<Result> {
  readonly status: 200 | 201;
  /** The schema of the body. */
  readonly schema: z.ZodObject;
  /** An example of the body, with a record of the demo organization. */
  readonly example: object;
  /** Whether the body is that of one resource, which clients can cache, and update only if it is unchanged. Not a deletion. */
  readonly hasETag?: true;
  /** The path of the created record, under `/v1`. */
  location?(result: Result): string;
  /** The fields that the operation reads; all of them if absent. */
  readonly fields?: SelectedFields;
  /** Returns the body as JSON text. */
  body(result: Result): string | Promise<string>;
}

/** 200 and `{ data: record }`, for a record that PostgreSQL returned as JSON, which is passed through. */
export function jsonRecord<Schema extends z.ZodObject>(
  shape: RecordShape<Schema>,
): Output<JsonRecord<z.output<Schema>>> {
  return {
    status: 200,
    hasETag: true,
    schema: z.object({ data: shape.schema }),
    example: { data: shape.example },
    fields: shape.fields,
    body: ({ json }) => `{"data":${json}}`,
  };
}

/** 200 and `{ data: record }`, for a record that is an object, such as one that was deleted. */
export function record<Schema extends z.ZodObject>(shape: RecordShape<Schema>): Output<z.output<Schema>> {
  return {
    status: 200,
    schema: z.object({ data: shape.schema }),
    example: { data: shape.example },
    body: (result) => JSON.stringify({ data: pick(result, shape) }),
  };
}

/** 200 and `{ data: record }`, for a record that exists after the write, with its new `ETag`. */
export function updatedRecord<Schema extends z.ZodObject>(shape: RecordShape<Schema>): Output<z.output<Schema>> {
  return { ...record(shape), hasETag: true };
}

/** 201 and `{ data: record }`, for a record that was created. @param location returns the path of the record. */
export function createdRecord<Schema extends z.ZodObject>(
  shape: RecordShape<Schema>,
  location: (record: z.output<Schema>) => string,
): Output<z.output<Schema>> {
  return { ...updatedRecord(shape), status: 201, location };
}

/** 200 and `{ data: [record…] }`, without pagination. @param recordsOf returns the records of the result. */
export function records<Schema extends z.ZodObject, Result>(
  shape: RecordShape<Schema>,
  recordsOf: (result: Result) => readonly z.output<Schema>[],
): Output<Result> {
  return {
    status: 200,
    schema: z.object({ data: z.array(shape.schema) }),
    example: { data: [shape.example] },
    body: (result) => JSON.stringify({ data: recordsOf(result).map((one) => pick(one, shape)) }),
  };
}

/** Returns a record with exactly the fields of its shape. */
function pick(record: Readonly<Record<string, unknown>>, { fields }: RecordShape): object {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, record[name]]));
}

const pagination = z
  .object({
    next_cursor: z
      .string()
      .meta({ description: 'The `cursor` of the next page; null on the last page. Opaque.' })
      .nullable(),
    has_more: z.boolean().meta({ description: 'Whether there is a next page.' }),
    total_count: z
      .int()
      .nullable()
      .optional()
      .meta({
        description: `The number of records in the whole list; null if there are more than ${MAX_COUNTED_RECORDS.toLocaleString('en-US')}. Only with \`count=true\`.`,
      }),
  })
  .meta({ id: 'Pagination', description: 'Whether there is a next page, and the cursor to request it.' });

/**
 * 200 and `{ data: [record…], pagination: { next_cursor, has_more } }`; with the count if it was requested. The JSON of
 * the records is passed through from PostgreSQL.
 */
export function list<Schema extends z.ZodObject>(shape: RecordShape<Schema>): Output<Page<z.output<Schema>>> {
  return {
    status: 200,
    schema: z.object({ data: z.array(shape.schema), pagination }),
    example: { data: [shape.example], pagination: { next_cursor: null, has_more: false } },
    fields: shape.fields,
    body: async (page) => {
      const hasMore = await page.hasNextPage();
      const pagination = {
        next_cursor: hasMore ? page.endCursor : null,
        has_more: hasMore,
        ...(page.isCountRequested && { total_count: await page.count() }),
      };
      return `{"data":${page.json},"pagination":${JSON.stringify(pagination)}}`;
    },
  };
}
