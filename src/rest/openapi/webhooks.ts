import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { changeRecord } from '../changes.ts';

/** The header parameters of Standard Webhooks. */
const headers = z.object({
  'webhook-id': z.string().meta({
    description: 'Identifies the changes: a repeated attempt has the same id.',
    example: 'msg_0ZQ3cXbWw0Q6o3pQ3o2b0mX0Q6o3pQ3o2b0mX0Q6o3p',
  }),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'When it was sent, in seconds since 1970.', example: '1770000000' }),
  'webhook-signature': z.string().meta({
    description: '`v1,` and the HMAC-SHA256 in base64. During the rotation of the secret two, separated by a space.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

const delivery = z
  .object({
    cursor: z.string().meta({
      description:
        'The cursor after the last change, with which `GET /changes` of the same resources continues. Opaque.',
    }),
    changes: z
      .array(
        changeRecord.schema.extend({
          record: z.record(z.string(), z.unknown()).nullable().optional().meta({
            description:
              'Only if the webhook sends records: the record as it is now, as its list returns it; null if it was removed.',
          }),
        }),
      )
      .meta({ description: 'At most 100, in the order of the change feed. Empty in a test.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'The next changes of a webhook.' });

/** The requests that the service sends to webhooks. */
export const webhooks: ZodOpenApiPathsObject = {
  changes: {
    post: {
      operationId: 'receiveChanges',
      tags: ['Changes'],
      summary: 'Receive changes',
      description:
        'What a webhook sends to its URL. It is sent again until it is answered with 2xx within 10 seconds; 410 pauses the webhook. Verify the signature (Standard Webhooks) first. Prayer requests are never sent.',
      security: [],
      requestParams: { header: headers },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: delivery,
            example: { cursor: 'nY1c0Gm3bHnqvU5y8RkQ2pDqWc7mX4sTn2HqkA0l', changes: [changeRecord.example] },
          },
        },
      },
      responses: {
        '2XX': { description: 'The changes are stored.' },
        '410': { description: 'The receiver wants no further deliveries.' },
      },
    },
  },
};
