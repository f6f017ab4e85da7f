import { invalidRequest } from '../domain/core/errors.ts';
import { unavailable } from './report-error.ts';

/** How long the service may take to respond. */
export const RESPONSE_TIMEOUT_MS = 30_000;

interface JsonResponse {
  readonly response: Response;
  /** Undefined if the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a response
  readonly json: any;
}

/**
 * Sends a request to the service, and reads the JSON of its response.
 *
 * @throws {ServiceError} `unavailable` when the service cannot be reached, or does not respond in time.
 */
export async function sendRequest(request: Request, timeoutMs: number = RESPONSE_TIMEOUT_MS): Promise<JsonResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(request, { signal });
    const json = await response.json().catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
    return { response, json };
  } catch (error) {
    const reason = signal.aborted ? `did not respond within ${timeoutMs / 1_000} seconds` : 'cannot be reached';
    throw unavailable(`the service at ${new URL(request.url).origin} ${reason}`, error);
  }
}

/**
 * Parses the address of the service in the option `--url`.
 *
 * @returns the address without a slash at the end, and without user name, query and fragment.
 * @throws {ServiceError} `invalid_request`.
 */
export function parseServiceUrl(url: string): string {
  // Without `http://`, the host is parsed as a protocol.
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw invalidRequest({ field: '--url', message: 'must be the URL of the service, as in http://127.0.0.1:4000' });
  }
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
