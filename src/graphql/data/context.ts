import type { GraphQLError } from 'graphql';
import type { Watch } from '../../domain/changes/watch.ts';
import type { Abort, Context } from '../../domain/core/context.ts';
import type { PrismaClient } from '../../store/generated/client.ts';
import type { NormalOperation } from '../document/normal-form.ts';
import type { Loaders } from './loaders.ts';
import type { ResponseSize } from './response-body.ts';

/** The context value that resolvers receive. */
export interface GraphQLContext {
  readonly domain: Context;
  readonly loaders: Loaders;
  /** The rate limit of the caller's key, in points per minute. */
  readonly rateLimit: number;
  /** The number of writes started by this request. */
  writes: number;
  /** The errors that the payloads of mutations list as `userErrors`. */
  readonly payloadErrors: GraphQLError[];
  /** The operation of the request; set when its document has been validated. */
  operation?: NormalOperation;
  /** For plugin-prisma, which reads the caller's API key and organization. */
  readonly store: { readonly prisma: PrismaClient };
  /** Set when the operation times out or its response is too large. */
  readonly abort: Abort;
  /** The watch of a subscription; set before it starts. */
  watch?: Watch;
  /** What the operation has returned so far. */
  readonly size: ResponseSize;
}
