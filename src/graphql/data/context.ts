import type { Abort, Context } from '../../domain/context.ts';
import type { PrismaClient } from '../../store/generated/client.ts';
import type { Loaders } from './loaders.ts';

/** The context of resolvers. */
export interface GraphQLContext {
  readonly domain: Context;
  readonly loaders: Loaders;
  /** The rate limit of the caller's key, in points per minute. */
  readonly rateLimit: number;
  /** The number of writes that this request has started. */
  writes: number;
  /** For plugin-prisma, which reads the caller's own key and organization. */
  readonly prisma: PrismaClient;
  /** Set when the operation times out or its response is too large. */
  readonly abort: Abort;
}
