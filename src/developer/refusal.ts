/** A request that these pages do not carry out: what its page says, and what would be right. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 403 | 413 | 415,
    readonly title: string,
    message: string,
  ) {
    super(message);
  }
}
