import type { ApiError, ApiRequest, ApiResponse, Explanation, RateLimit, SendRequest } from './api.ts';

export interface Run extends ApiResponse {
  readonly milliseconds: number;
}

/** What is known about the operation in the editor. */
export interface ExplainState {
  /** The last result; undefined before the first one. The operation may have changed since. */
  readonly explanation: Explanation | undefined;
  /** Why the current operation cannot run, or could not be explained. */
  readonly problem: { readonly code: string; readonly message: string } | undefined;
  /** The rate limit of the key after the last request. */
  readonly rateLimit: RateLimit | undefined;
  /** Set while an executed operation has to wait because the rate limit is used up. */
  readonly exhausted: Exhausted | undefined;
  /** The last run of each tab, by its id. */
  readonly runs: ReadonlyMap<string, Run>;
}

/** A rate limit that is used up. */
export interface Exhausted {
  readonly code: string;
  readonly message: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The delay between a change and the next request, because each costs a point. */
export const DEBOUNCE_MS = 500;

/** The query that checks only the key, while the editor is empty. */
export const KEY_CHECK = '{ __typename }';

/** Stands for an operation that was rejected. It differs from every operation, so that the next one is explained. */
const REJECTED: ApiRequest = { query: '' };

/** Explains the operation in the editor after each change without running it, and runs operations on request. */
export class LiveExplain {
  #state: ExplainState = {
    explanation: undefined,
    problem: undefined,
    rateLimit: undefined,
    exhausted: undefined,
    runs: new Map(),
  };
  readonly #listeners = new Set<() => void>();
  #request: ApiRequest | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #explaining: AbortController | undefined;

  constructor(private readonly send: SendRequest) {}

  /** Returns the current state, which is a new object after each change. */
  readonly state = (): ExplainState => this.#state;

  /** Calls a function after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Explains an operation: immediately if it is the first one or the editor was empty, otherwise after a delay. Does
   * nothing if it is the same as before.
   */
  explain(request: ApiRequest): void {
    if (JSON.stringify(request) === JSON.stringify(this.#request)) return;
    const isFirst = this.#request === undefined || this.#request.query === KEY_CHECK;
    this.#request = request;
    // Editors are empty until the page has filled them.
    this.#schedule(isFirst && request.query !== KEY_CHECK ? 0 : DEBOUNCE_MS);
  }

  /** Shows why an operation cannot run, for example because its variables are not JSON. */
  reject(message: string): void {
    clearTimeout(this.#timer);
    // The response of a request in progress would replace the message.
    this.#explaining?.abort();
    this.#explaining = undefined;
    this.#request = REJECTED;
    this.#change({ problem: { code: 'invalid_request', message } });
  }

  /** Runs an operation, and keeps the response as the last run of its tab. @param tab the id of the tab. */
  async run(tab: string, request: ApiRequest): Promise<ApiResponse> {
    const runs = new Map(this.#state.runs);
    // There is no run to show if there is no response.
    if (runs.delete(tab)) this.#change({ runs });
    const started = performance.now();
    const response = await this.send(request);
    const { result, waitSeconds } = response;
    const { rateLimit } = result.extensions ?? {};
    const error = result.errors?.find((one) => one.extensions?.code === 'rate_limited');
    this.#change({
      runs: new Map([...this.#state.runs, [tab, { ...response, milliseconds: performance.now() - started }]]),
      exhausted: error && { ...describe(error), until: Date.now() + waitSeconds * 1_000 },
      ...(rateLimit ? { rateLimit } : {}),
    });
    return response;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#explain(), delayMs);
  }

  async #explain(): Promise<void> {
    this.#explaining?.abort();
    const running = new AbortController();
    this.#explaining = running;
    const { headers, ...request } = this.#request as ApiRequest;
    try {
      const response = await this.send({ ...request, headers: { ...headers, Explain: 'true' } }, running.signal);
      if (this.#explaining === running) this.#show(response, request.query);
    } catch {
      if (this.#explaining === running)
        this.#change({ problem: { code: 'unavailable', message: 'The service does not respond' } });
    }
  }

  #show({ result, waitSeconds }: ApiResponse, query: string): void {
    const { explain, rateLimit } = result.extensions ?? {};
    const [error = { message: 'The response has no explanation' }] = result.errors ?? [];
    const shown = query === KEY_CHECK ? undefined : explain;
    this.#change({
      ...(explain ? { explanation: shown, problem: undefined } : { problem: describe(error) }),
      ...(rateLimit ? { rateLimit } : {}),
    });
    if (waitSeconds > 0) this.#schedule(waitSeconds * 1_000);
  }

  #change(change: Partial<ExplainState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function describe({ message, extensions }: ApiError): { readonly code: string; readonly message: string } {
  return { code: extensions?.code ?? 'internal_error', message };
}
