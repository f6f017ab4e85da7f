import { z } from 'zod';
import { CHANGE_OPERATIONS, CHANGE_RESOURCES, type ChangePage } from '../domain/changes/changes.ts';
import { tag } from '../domain/entities/tag.ts';
import type { Output } from './output.ts';
import { defineRecord } from './record-shapes.ts';

const resource = z.enum(CHANGE_RESOURCES).meta({ id: 'ChangeResource', description: 'The name of the record’s list.' });

const operation = z.enum(Object.keys(CHANGE_OPERATIONS) as (keyof typeof CHANGE_OPERATIONS)[]).meta({
  id: 'ChangeOperation',
  description: Object.entries(CHANGE_OPERATIONS)
    .map(([name, description]) => `\`${name}\`: ${description}`)
    .join(' '),
});

/** A change in responses. */
export const changeRecord = defineRecord(
  z.object({
    resource,
    id: z.string().meta({ description: 'The id of the record. That of a form is its integer id as text.' }),
    operation,
    at: z.string().meta({ format: 'date-time', description: 'When the record was changed.' }),
  }),
  {
    id: 'Change',
    description: 'The latest change of a record.',
    example: {
      resource: 'tags',
      id: tag.fields.id?.example as string,
      operation: 'created',
      at: '2026-01-05T12:00:00.000Z',
    },
  },
);

const pagination = z
  .object({
    next_cursor: z.string().meta({ description: 'The `cursor` to continue from, now or later. Opaque.' }),
    has_more: z.boolean().meta({ description: 'Whether there is a next page now.' }),
  })
  .meta({
    id: 'ChangePagination',
    description: 'Whether there are more changes now, and the cursor to continue from.',
  });

/** 200 and `{ data: [change…], pagination: { next_cursor, has_more } }`, with a cursor on the last page too. */
export const changes: Output<ChangePage> = {
  status: 200,
  schema: z.object({ data: z.array(changeRecord.schema), pagination }),
  example: {
    data: [changeRecord.example],
    pagination: { next_cursor: 'nY1c0Gm3bHnqvU5y8RkQ2pDqWc7mX4sTn2HqkA0l', has_more: false },
  },
  body: ({ edges, nextCursor, hasMore }) =>
    JSON.stringify({ data: edges.map(({ node }) => node), pagination: { next_cursor: nextCursor, has_more: hasMore } }),
};
