import type { GraphQLError } from 'graphql';
import { Abort, type Context, type Watch } from '../../domain/core/context.ts';
import type { PrismaClient } from '../../store/generated/client.ts';
import type { NormalOperation } from '../document/normal-form.ts';
import { Loaders } from './loaders.ts';
import { ResponseTracker } from './response-body.ts';

/** The context value that resolvers receive. */
export interface GraphQLContext {
  readonly domainContext: Context;
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
  readonly response: ResponseTracker;
}

/** What the contexts of all requests are created with. */
export interface ContextOptions {
  /** Returns Prisma Client for an organization, whose reads take turns with those of others. */
  readonly prismaFor: (organizationId: string) => PrismaClient;
  /** The rate limit of keys that have none of their own, in points per minute. */
  readonly rateLimit: number;
}

/** Creates the context of a request. */
export function createContext(domainContext: Context, { prismaFor, rateLimit }: ContextOptions): GraphQLContext {
  // Aborting it also aborts the reads of the request, but not vice versa: if the client disconnects, the operation continues.
  const abort = new Abort();
  const { abort: requestAbort } = domainContext;
  if (requestAbort) abort.addListener(() => requestAbort.abort(abort.reason as Error));
  return {
    domainContext,
    store: new LazyPrisma(domainContext.caller.organization.id, prismaFor),
    rateLimit: domainContext.caller.rateLimit ?? rateLimit,
    loaders: new Loaders(domainContext),
    writes: 0,
    payloadErrors: [],
    abort,
    response: new ResponseTracker(abort),
  };
}

/** Prisma Client for the organization of a request, which few requests use. */
class LazyPrisma {
  constructor(
    private readonly organizationId: string,
    private readonly prismaFor: ContextOptions['prismaFor'],
  ) {}

  get prisma(): PrismaClient {
    return this.prismaFor(this.organizationId);
  }
}
