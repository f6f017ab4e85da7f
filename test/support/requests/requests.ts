import fc from 'fast-check';
import type { Route } from '../../../src/rest/route.ts';
import { EXAMPLE_BODIES } from './example-bodies.ts';

/** An arbitrary request, as arguments of `new Request`. */
export interface GeneratedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Buffer | null;
}

/** Existing values for the generated requests. */
export interface Surroundings {
  readonly key: string;
  /** Path parameters of existing records, by name; `id` by the segment before it. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The required values of new records whose entity is derived, by path. */
  readonly bodies: Readonly<Record<string, object>>;
  /** Other existing values: ids, cursors, addresses. */
  readonly known: readonly string[];
}

const FIELDS = [
  ...`first_name last_name email_address phone_number gender address city state zip_code country marital_status
    designation_id date_of_birth description title sender sender_email sender_phone add remove id is_guest
    organization_id changes search first answers tag_ids response __proto__ constructor toString prototype length
    then`.split(/\s+/),
  '',
];

const UNUSUAL_TEXTS = [
  ...`% _ \\ ' " $1 ؟ １ 😀 İ ß {"not":""} [] 0 -1 1.5 1e3 NaN null true Male male 2000-02-30 + a@b.c __proto__ .. %00 ../x
    tel:650-253-0000;phone-context=+1 2147483647 2147483648`.split(/\s+/),
  ...['', ' ', '\0', '\ud800', '\udc00x', '\uffff', '\u202e', "' OR 1=1 --", '+1 650-253-0000', 'A@B.C '],
  ...['9'.repeat(40), 'a'.repeat(255), 'é'.repeat(256), '😀'.repeat(201), 'x'.repeat(10_001)],
];

/** Any code point but surrogates. Unlike the unit `binary` of fast-check, it does not take a second to prepare. */
const anyCharacter = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

const unusualText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...UNUSUAL_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }) },
  // Any UTF-16 code unit: lone surrogates, NUL, control characters.
  { weight: 2, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)) },
);

const textFrom = ({ known, parameters }: Surroundings) =>
  fc.oneof(
    { weight: 3, arbitrary: unusualText },
    { weight: 1, arbitrary: fc.constantFrom(...known, ...Object.values(parameters)) },
  );

/** Percent-encoded as UTF-8 (including lone surrogates, as three bytes), or unencoded where a URL permits it. */
const encoded = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 4, arbitrary: text.map(percentEncode) },
    { weight: 1, arbitrary: text.map((value) => value.replace(/[^\x21-\x7e]|[?#]/g, '')) },
  );

function percentEncode(text: string): string {
  return [...text]
    .map((character) => {
      const point = character.codePointAt(0) as number;
      const lone = point >= 0xd800 && point <= 0xdfff;
      const bytes = lone
        ? [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)]
        : [...Buffer.from(character)];
      return bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    })
    .join('');
}

function queryFor(surroundings: Surroundings): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('limit', 'cursor', 'q') },
    { weight: 1, arbitrary: fc.constantFrom('limit[]', 'q[not]', 'cursor[0]', '__proto__', 'constructor', 'search') },
    { weight: 1, arbitrary: encoded(unusualText) },
  );
  const value = fc.oneof(
    { weight: 2, arbitrary: encoded(textFrom(surroundings)) },
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 101 }).map(String) },
  );
  return fc
    .array(fc.tuple(name, value, fc.boolean()), { maxLength: 4 })
    .map((pairs) => pairs.map(([key, text, bare]) => (bare && text === '' ? key : `${key}=${text}`)).join('&'));
}

function bodyFor(
  { method, path }: Pick<Route, 'method' | 'path'>,
  surroundings: Surroundings,
): fc.Arbitrary<string | Buffer> {
  const text = textFrom(surroundings);
  const anything = fc.oneof(
    { weight: 5, arbitrary: text },
    { weight: 1, arbitrary: fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.array(text, { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.constantFrom({ not: '' }, { contains: 'a' }, 5, -0, 1e300, true, [[]]) },
  );
  // Built by hand, because an object literal would set the prototype for `__proto__`.
  const record = fc
    .array(fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...FIELDS) }, unusualText), anything), {
      maxLength: 8,
    })
    .map((fields) => `{${fields.map((field) => field.map((part) => JSON.stringify(part)).join(':')).join(',')}}`);
  const optional = fc.dictionary(fc.constantFrom('address', 'title', 'sender', 'city'), text, { maxKeys: 1 });
  const good = fc.tuple(fc.uuid(), fc.array(text, { maxLength: 3 }), optional).map(([id, ids, others]) => {
    const member = { first_name: 'Robin', last_name: 'Field', email_address: `${id}@example.org` };
    if (path.endsWith('/tags')) return JSON.stringify({ add: ids });
    if (path.endsWith('/responses'))
      return JSON.stringify({ answers: Object.fromEntries(ids.map((id, n) => [n, id])) });
    const known = surroundings.bodies[path] ?? EXAMPLE_BODIES[`${method} ${path}`];
    const required = known ?? member;
    const accepted = Object.entries(others).filter(([name]) => !known || name in required);
    return JSON.stringify({ ...required, ...Object.fromEntries(accepted) });
  });
  return fc.oneof(
    { weight: 6, arbitrary: record },
    { weight: 5, arbitrary: good },
    { weight: 1, arbitrary: fc.json({ stringUnit: anyCharacter, maxDepth: 6 }) },
    { weight: 1, arbitrary: fc.constantFrom('', '{', 'null', '5', '[]', '"x"', '\uFEFF{}', '{"a":'.repeat(5_000)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  );
}

function headersFor({ key }: Surroundings): fc.Arbitrary<[string, string][]> {
  const value = fc.string({ maxLength: 40 }).map((text) => text.replace(/[^\x20-\xff]/g, ''));
  const keys = fc.oneof(
    { weight: 18, arbitrary: fc.constant<[string, string][]>([['X-Api-Key', key]]) },
    { weight: 1, arbitrary: fc.constant<[string, string][]>([]) },
    { weight: 1, arbitrary: value.map((other): [string, string][] => [['X-Api-Key', other]]) },
  );
  const type = fc.oneof(
    { weight: 9, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', 'multipart/form-data', ''),
    },
  );
  const name = fc.constantFrom('Accept', 'Origin', 'X-Request-Id', 'X-Forwarded-For', 'Content-Encoding', 'If-Match');
  const others = fc.array(fc.tuple(name, value), { maxLength: 2 });
  return fc
    .tuple(keys, type, fc.oneof({ weight: 3, arbitrary: fc.constant<[string, string][]>([]) }, others))
    .map(([sentKeys, contentType, rest]) => [...sentKeys, ['Content-Type', contentType], ...rest]);
}

/** Requests to one route: mostly valid in some parts, and arbitrary in others. */
export function requestsTo(
  route: Pick<Route, 'method' | 'path'>,
  surroundings: Surroundings,
): fc.Arbitrary<GeneratedRequest> {
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PURGE'];
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant(route.method) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
  const segments = route.path.split('/').slice(1);
  const path = fc
    .tuple(
      ...segments.map((segment, index) =>
        segment.startsWith('{')
          ? fc.oneof(
              fc.constant(parameterOf(segment, segments[index - 1] ?? '', surroundings)),
              encoded(textFrom(surroundings)),
            )
          : fc.oneof({ weight: 30, arbitrary: fc.constant(segment) }, encoded(unusualText)),
      ),
    )
    .map((parts) => `/v1/${parts.join('/')}`);
  return fc
    .record({
      method,
      path,
      query: queryFor(surroundings),
      headers: headersFor(surroundings),
      body: bodyFor(route, surroundings),
    })
    .map(({ method, path, query, headers, body }) => ({
      method,
      target: query === '' ? path : `${path}?${query}`,
      headers,
      body: method === 'GET' || method === 'HEAD' ? null : body,
    }));
}

function parameterOf(segment: string, before: string, { parameters }: Surroundings): string {
  return parameters[segment === '{id}' ? before : segment.slice(1, -1)] ?? '';
}
