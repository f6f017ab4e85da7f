import type { Context } from 'hono';
import type { RequestEnv, ResponseHeaders } from '../../http/request/request-env.ts';
import { encode, encodingHeaders, encodingOf } from '../../http/response/encoding.ts';
import { etagOf, matchesETag } from '../../http/response/etag.ts';
import { respond } from '../../http/response/response.ts';
import { stringify } from '../data/response-body.ts';

/** A shorter response fits into one packet without compression. */
const MIN_COMPRESSED_BYTES = 1_024;

const VARY = 'Accept, Accept-Encoding, X-Api-Key';

/** Only the client itself may cache the response, and must revalidate it: the key is checked each time. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

/**
 * Responds with the data of an operation that selects only introspection fields, compressed if it is not short. With
 * GET, the response has an ETag, the hash of the data, and is a 304 if the client already has this data. The ETag is
 * weak, because `extensions.rateLimit` differs in each response.
 *
 * @param bodyOf returns the body of the response.
 * @param contentType the header of this name.
 */
export async function sendIntrospection(
  c: Context<RequestEnv>,
  data: unknown,
  bodyOf: () => string,
  contentType: ResponseHeaders,
): Promise<Response> {
  // HEAD is answered like GET.
  const etag = c.req.method === 'POST' ? undefined : etagOf(stringify({ data }));
  const headers = {
    ...contentType,
    Vary: VARY,
    ...(etag === undefined ? {} : { ...REVALIDATE, ETag: `W/${etag}` }),
  };
  if (etag !== undefined && matchesETag(c.req.header('if-none-match') ?? '', etag, 'weak'))
    return respond(c, null, 304, headers);
  const body = Buffer.from(bodyOf());
  const encoding = body.length < MIN_COMPRESSED_BYTES ? 'identity' : encodingOf(c.req.header('accept-encoding') ?? '');
  return respond(c, await encode(body, encoding), 200, { ...headers, ...encodingHeaders(encoding) });
}
