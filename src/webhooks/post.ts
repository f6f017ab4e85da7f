import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Attempt } from '../domain/webhooks/delivery.ts';
import { addressOf, mayConnect } from '../domain/webhooks/webhook-url.ts';
import { createSafeLookup, type LookupOptions, RefusedAddressError } from './safe-lookup.ts';

/** How long a receiver may take to connect, to accept the request and to respond. */
export const POST_TIMEOUT_MS = 10_000;

/** The part of a response that is read. */
const MAX_ANSWER_BYTES = 1_024;

/** The part of a response that is stored. */
const MAX_ANSWER_CHARACTERS = 200;

/** A request to a receiver. */
export interface PostOptions extends Omit<LookupOptions, 'isHttps'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Default: {@link POST_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Ends the attempt. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Posts JSON to a URL on a new connection. Follows no redirect, and reads at most {@link MAX_ANSWER_BYTES} of the response.
 * Never rejects: without a response, the result has an error.
 */
export async function post(address: string, options: PostOptions): Promise<Attempt> {
  const { timeoutMs = POST_TIMEOUT_MS, signal } = options;
  const startedAt = performance.now();
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  const abort = () => ended.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  let response: IncomingMessage | undefined;
  let error: string | null = null;
  let answer = '';
  try {
    response = await respond(send(new URL(address), options, ended.signal), options.body);
    answer = await beginningOf(response, ended.signal);
  } catch (reason) {
    error = ended.signal.aborted ? timeoutMessage(timeoutMs, signal) : messageOf(reason);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    ended.abort();
  }
  const status = response?.statusCode ?? null;
  return { status, error, duration_ms: Math.round(performance.now() - startedAt), answer: response ? answer : null };
}

/** Opens a request. @throws {RefusedAddressError} for an address in the URL, which is not looked up. */
function send(url: URL, { headers, body, ...options }: PostOptions, signal: AbortSignal): ClientRequest {
  const isHttps = url.protocol === 'https:';
  const address = addressOf(url);
  if (address !== undefined && !mayConnect(address, isHttps, options.allowsPrivate)) throw new RefusedAddressError();
  const start = isHttps ? httpsRequest : httpRequest;
  return start(url, {
    method: 'POST',
    agent: false,
    signal,
    lookup: createSafeLookup({ ...options, isHttps }),
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'Community-Membership-Service',
      Connection: 'close',
    },
  });
}

function respond(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    // After status 101, Node.js closes the connection without an error.
    request.on('close', () => reject(new Error('closed without a response')));
    request.end(body);
  });
}

/** The first characters of a response, without those that the database cannot store. A body that breaks off is no error. */
async function beginningOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER_BYTES || signal.aborted) break;
    }
  } catch {
    // The status has arrived, which is what counts.
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
  return text.replaceAll('\0', '').toWellFormed().slice(0, MAX_ANSWER_CHARACTERS).toWellFormed();
}

function timeoutMessage(timeoutMs: number, signal: AbortSignal | undefined): string {
  return signal?.aborted
    ? 'the attempt was interrupted'
    : `no response within ${Math.round(timeoutMs / 1_000)} seconds`;
}

/** Why there is no response, without addresses and other texts of the network. */
function messageOf(reason: unknown): string {
  const causes = reason instanceof AggregateError ? reason.errors : [reason];
  const refused = causes.find((cause) => cause instanceof RefusedAddressError);
  if (refused) return refused.message;
  const { code } = (causes[0] ?? {}) as NodeJS.ErrnoException;
  return `the connection failed${typeof code === 'string' ? ` (${code})` : ''}`;
}
