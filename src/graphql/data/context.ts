import type { Context } from '../../domain/context.ts';
import type { PrismaClient } from '../../store/generated/client.ts';
import type { Abort } from '../execution/execute.ts';
import type { Loaders } from './loaders.ts';

/** What resolvers work with: the domain's context, the loaders of this request, and its charge. */
export interface GraphQLContext {
  readonly domain: Context;
  readonly loaders: Loaders;
  /** The rate limit of the caller’s key, in points per minute. */
  readonly rateLimit: number;
  /** How many writes this request has begun. */
  writes: number;
  /** For what Pothos reads by itself: the caller's own key and organization. */
  readonly prisma: PrismaClient;
  /** Set when the operation times out or its response is too large. */
  readonly abort: Abort;
}
