import { FAILED_REQUEST_DAYS } from '../../../domain/admin/failed-request.ts';
import { DAY_MS } from '../../../domain/values/time-zone.ts';
import type { Prisma } from '../../../store/generated/client.ts';
import { builder } from '../builder.ts';
import type { KeysetList } from './prisma-page.ts';

/** The list of failed requests of a key. */
export const failedRequests: KeysetList<
  Prisma.ApiKeyFailedRequestWhereInput,
  { readonly at: Date; readonly id: bigint }
> = {
  name: 'api_key_failed_request',
  placeOf: ({ at, id }) => ({ keys: [at.toISOString()], position: id }),
  beyond: (comparison, { keys: [key = ''], position }) => {
    const at = new Date(key);
    return { OR: [{ at: { [comparison]: at } }, { at, id: { [comparison]: position } }] };
  },
};

/** Returns the time before which failed requests are no longer returned, because they will be deleted. */
export function oldestFailedRequest(): Date {
  return new Date(Date.now() - FAILED_REQUEST_DAYS * DAY_MS);
}

const FailedRequestType = builder.prismaObject('ApiKeyFailedRequest', {
  name: 'FailedRequest',
  description:
    'A request of the key that was refused or failed. Except for the request id, it contains nothing that the client sent.',
  select: { apiKeyId: true, id: true },
  findUnique: ({ apiKeyId, id }, { domain }) => ({
    apiKeyId_id: { apiKeyId, id },
    key: { organizationId: domain.caller.organization.id },
  }),
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the request failed.' }),
    api: t.exposeString('api', { description: 'The API that was called: `rest` or `graphql`.' }),
    operation: t.exposeString('operation', {
      nullable: true,
      description:
        'The `operationId` in the REST API’s description, or the root fields in the GraphQL schema; null if the request did not lead to an operation.',
    }),
    status: t.exposeInt('status', { description: 'The HTTP status of the response.' }),
    code: t.exposeString('code', { description: 'The error code; for GraphQL, the code of the first error.' }),
    field: t.exposeString('field', {
      nullable: true,
      description:
        'The first invalid field, with the fields of the document that lead to it, or the missing scope; null if there is none, or if the API has no field of that name.',
    }),
    requestId: t.exposeString('requestId', {
      description: 'The id of the request, as in the `X-Request-Id` header of its response.',
    }),
    cost: t.exposeInt('cost', { description: 'The number of points that were charged.' }),
  }),
});

/** A page of failed requests. */
export const FailedRequestConnectionType = builder.connectionObject(
  { type: FailedRequestType, name: 'FailedRequestConnection', description: 'A page of failed requests.' },
  { name: 'FailedRequestEdge', description: 'A failed request in a list.' },
);
