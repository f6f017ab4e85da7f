import { GraphQLError } from 'graphql';
import type { Context } from 'hono';
import type { Authentication } from '../../auth/authentication.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { isRefusal } from '../../domain/core/preflight.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { RateLimitCheck } from './pipeline.ts';

/** Charges an operation to the rate-limit budget of its key: its cost, or one point if it fails before that is known. */
export class OperationCharge implements RateLimitCheck {
  private isCharged = false;
  /** Whether the document was not cached, so that it had to be parsed and validated. */
  private isUncached = false;

  constructor(
    private readonly authentication: Pick<
      Authentication,
      'admitRehearsal' | 'charge' | 'countRefusal' | 'requireBudget'
    >,
    private readonly c: Context<RequestEnv>,
  ) {}

  async requirePoints(): Promise<void> {
    await this.authentication.requireBudget(this.c);
    this.isUncached = true;
  }

  async chargePoints(cost: number): Promise<void> {
    this.isCharged = true;
    try {
      await this.authentication.charge(this.c, cost);
      await this.authentication.admitRehearsal(this.c);
    } catch (error) {
      if (this.isUncached && isRateLimited(error)) await this.authentication.countRefusal(this.c);
      throw error;
    }
  }

  /** Runs `execute`, and charges one point unless it charged the operation, or was refused because of the rate limit. */
  async run<Result>(execute: () => Promise<Result>): Promise<Result> {
    let result: Result;
    try {
      result = await execute();
    } catch (error) {
      if (!this.isCharged && !isRateLimited(error)) await this.chargeFailed(error);
      throw error;
    }
    if (!this.isCharged) await this.chargePoints(1);
    return result;
  }

  /**
   * The rate limit is checked before the input, so `rate_limited` replaces an error of the request, but not a fault of
   * the service.
   */
  private async chargeFailed(error: unknown): Promise<void> {
    try {
      await this.chargePoints(1);
    } catch (refusal) {
      throw isRefusal(error) || error instanceof GraphQLError ? refusal : error;
    }
  }
}

function isRateLimited(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'rate_limited';
}
