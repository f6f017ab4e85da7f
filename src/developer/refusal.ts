/** A refused request, with the title and message of its page. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 429,
    readonly title: string,
    message: string,
  ) {
    super(message);
  }
}
