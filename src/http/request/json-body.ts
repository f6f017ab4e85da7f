import { Readable } from 'node:stream';
import type { Context } from '../../domain/core/context.ts';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { MAX_BODY_BYTES, MAX_BODY_CHUNKS, MAX_JSON_MEMBERS } from '../../domain/values/limits.ts';
import { truncate } from '../../domain/values/words.ts';
import { yieldToEventLoop } from './event-loop.ts';
import { describeJsonError } from './json-error.ts';
import type { RequestEnv } from './request-env.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The parts of Hono's context from which a body is read. */
interface BodySource {
  get(name: 'domainContext'): Context;
  readonly env: RequestEnv['Bindings'] | undefined;
  readonly req: { readonly raw: Request };
}

/** Reads and parses a JSON body. @throws {ServiceError} the errors of {@link readJsonText} and {@link parseJsonBody}. */
export async function readJson(c: BodySource): Promise<unknown> {
  return parseJsonBody(await readJsonText(c));
}

/**
 * Reads the body of a request that declares JSON. A long one waits for its turn, so that it can be parsed.
 *
 * @throws {ServiceError} `unsupported_media_type`; `payload_too_large`; `invalid_json` if the body is incomplete.
 */
export async function readJsonText(c: BodySource): Promise<string> {
  requireJson(c.req.raw.headers);
  const bytes = await readBytes(c);
  await yieldToEventLoop(c, bytes.byteLength);
  return decode(bytes);
}

/** Parses the text of a body. @throws {ServiceError} `invalid_json`; the errors of {@link rejectManyMembers}. */
export function parseJsonBody(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() === '') throw new ServiceError('invalid_json', 'The body is empty; it must be JSON in UTF-8');
    throw notJson(text);
  }
  rejectManyMembers('body', value, text.length);
  return value;
}

/**
 * Rejects a JSON value with an object or a list of more than {@link MAX_JSON_MEMBERS} members, because validation takes
 * time for each, and no valid request has as many.
 *
 * @param length the length of the text that was parsed.
 * @throws {ServiceError} `invalid_request`.
 */
export function rejectManyMembers(field: string, value: unknown, length: number): void {
  if (length <= 2 * MAX_JSON_MEMBERS) return;
  // Not recursive: the value may be nested more deeply than the stack allows.
  const values: unknown[] = [[value]];
  for (let next = values.pop(); next !== undefined; next = values.pop()) {
    const members = Array.isArray(next) ? next : Object.values(next as object);
    if (members.length > MAX_JSON_MEMBERS) {
      const message = `must not contain an object with more than ${MAX_JSON_MEMBERS} fields, or a list with more items`;
      throw invalidRequest({ field, message });
    }
    for (const member of members) if (typeof member === 'object' && member !== null) values.push(member);
  }
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new ServiceError('invalid_json', 'The body is not in UTF-8; encode it as JSON in UTF-8');
  }
  if (!text.startsWith('\ufeff')) return text;
  throw new ServiceError('invalid_json', 'The body begins with a byte order mark; send it without');
}

function requireJson(headers: Headers): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() !== 'application/json' || !isUtf8) throw unsupportedType(headers.get('content-type'));
  if ((headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body uncompressed, without a Content-Encoding');
  }
}

/** Reads a body. Its length is checked before reading if it has a Content-Length, otherwise while it arrives. */
async function readBytes({ env, req: { raw: request } }: BodySource): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > MAX_BODY_BYTES) throw bodyTooLarge();
  const stream = declared === null && env?.incoming instanceof Readable ? env.incoming : undefined;
  const bytes = await (stream ? readChunks(stream) : request.arrayBuffer()).catch((error: unknown) => {
    if (error instanceof ServiceError) throw error;
    // Otherwise `toServiceError` would report a connection error, such as ECONNRESET, as an unavailable store.
    throw new ServiceError('invalid_json', 'The body ended before it was complete');
  });
  if (bytes.byteLength > MAX_BODY_BYTES) throw bodyTooLarge();
  return new Uint8Array(bytes);
}

/** Reads a Node.js stream, because reading many small chunks from a Web stream takes several times as long. */
function readChunks(stream: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    // The client may have closed its connection before the body is read; a destroyed stream emits no further events.
    if (stream.destroyed) return reject();
    const onData = (chunk: Uint8Array) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= MAX_BODY_BYTES && chunks.length <= MAX_BODY_CHUNKS) return;
      // Remove the listener: it would pause the stream again while the rest of the body is discarded.
      stream.off('data', onData).pause();
      reject(size > MAX_BODY_BYTES ? bodyTooLarge() : tooManyChunks());
    };
    stream
      .on('data', onData)
      .once('end', () => resolve(Buffer.concat(chunks)))
      .once('error', reject)
      .once('close', reject);
  });
}

/** Returns the error for a body that is not JSON. */
export function notJson(text: string): ServiceError {
  return new ServiceError('invalid_json', `The body is not JSON: ${describeJsonError(text)}`);
}

/** Returns the error for a body of another media type. @param sent the Content-Type; null or undefined if there is none. */
export function unsupportedType(sent?: string | null): ServiceError {
  const type = sent && `, not ${/^multipart\//i.test(sent) ? 'as a form; there are no uploads' : truncate(sent)}`;
  const message = `Send a JSON object in UTF-8 with Content-Type: application/json${type ?? ''}`;
  return new ServiceError('unsupported_media_type', message);
}

/** Returns the error for a body that is too large. */
export function bodyTooLarge(): ServiceError {
  return new ServiceError('payload_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes`);
}

function tooManyChunks(): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `The body must have at most ${MAX_BODY_CHUNKS} chunks; send longer ones`,
  );
}
