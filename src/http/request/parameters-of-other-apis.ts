import { sameNames, similarNames } from '../../domain/values/similar-names.ts';
import { alternatives } from '../../domain/values/words.ts';

/** The parameters that an operation has; an error message recommends one of them. */
export interface SupportedParameters {
  readonly names: readonly string[];
  /** What the parameter `q` searches, if the operation has it. */
  readonly searchedFieldsText?: string | undefined;
  /** The names of the orders, if it is a list. */
  readonly orders?: readonly string[] | undefined;
  /** The names of those that can have several values. */
  readonly lists: ReadonlySet<string>;
  /** The fields of its records, in snake_case. */
  readonly fields?: readonly string[] | undefined;
}

/** A date, and a time with an offset if there is one, within a value such as `gt:2026-01-31`. */
const DATE = /(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?![\d-])/;
const TIME = /T([\d:.]{5,12})(?:(Z)|([+-])(\d\d):?(\d\d))$/;

/** Writes a parameter with the date that was sent; with an example if it was none. */
function withDate(name: string, value: string): string {
  const [date] = DATE.exec(value) ?? [];
  return date ? `${name}=${date}` : `${name} with a date, such as ${name}=2026-01-31`;
}

/** Writes a parameter with the time that was sent, or its date. */
function withTime(name: string, value: string): string {
  const [date] = DATE.exec(value) ?? [];
  const [, time, utc, sign, hours, minutes] = TIME.exec(value) ?? [];
  if (date && time) return `${name}=${date}T${time}${utc ?? `${sign === '+' ? '%2B' : '-'}${hours}:${minutes}`}`;
  return date && /\dT\d/.test(value)
    ? `${name} with an offset, such as ${name}=${date}T09:30:00Z`
    : withDate(name, value);
}

const sizeOf = (value: string) => (/^[1-9]\d?$/.test(value) ? value : '100');

/** Values that rule out a parameter: `start=20` is not a date, and `after=2026-01-31` is not a cursor. */
const IMPOSSIBLE_VALUES: readonly (readonly [parameter: RegExp, value: RegExp])[] = [
  [/^limit$/, /^(?!all$|max$).*[^\d-]|^\d{4}-/i],
  [/^(?:cursor|status)$/, /^\d{4}-\d\d/],
  [/^(?:from|until|created_since|updated_since)$/, /^\d{1,7}$|^\d\d?:\d\d/],
  [/^count$/, /^(?![01]$)\d+$/],
  [/^email_address$/, /^[^@]+$/],
];

const canHave = (parameter: string, value: string) =>
  !IMPOSSIBLE_VALUES.some(([pattern, values]) => pattern.test(parameter) && values.test(value));

/** How to write parameters whose name alone does not say it. */
const NOTATIONS: Readonly<Record<string, string | ((operation: SupportedParameters, value: string) => string)>> = {
  q: ({ searchedFieldsText }) => `q=…, which searches the ${searchedFieldsText}`,
  order_by: ({ orders }) =>
    `order_by with - before the name for descending order, as in order_by=-entry; the names are ${orders?.join(', ')}`,
  cursor: 'cursor, with the next_cursor of the previous page; the first page has none',
  limit: (_, value) => `limit=${sizeOf(value)}`,
  count: 'count=true',
  status: 'status with the text that records have, such as status=pending or status=answered',
  is_published: (_, value) =>
    `is_published=${/^(?:false|no|0)$/i.test(value) ? 'false' : 'true'}; open forms also have accepting_response=true`,
  include:
    'include=tags, the only records that can be included; the GraphQL API at /graphql reads others in one request',
  is_guest: 'is_guest=true for guests, or is_guest=false for the others',
  resources: 'resources, the only filter, as in resources=members, with commas between several',
};

/** What is known about names of other APIs for which operations have no parameter, unless they have the one that is named. */
const WITHOUT_PARAMETER: readonly (readonly [pattern: RegExp, message: string, ...unless: string[]])[] = [
  [/^-|^not_|^exclude|!$|[[_](?:neq?|not|nin|not_in)\]?$/, 'no filter excludes records'],
  [/^(?:[a-z]+_)?(?:deleted|removed|archived|trashed)$/, 'only GET /v1/changes names removed records', 'resources'],
  [
    /^(?:fields|select|columns|only|attributes|projection|omit)\b/,
    'every field is returned; the GraphQL API at /graphql returns the fields that are selected',
  ],
  [
    /^(?:x[-_])?(?:api_?)?(?:key|token)$|^access_token$|^auth(?:orization|_token|_key)?$/,
    'send the API key in the header X-Api-Key only',
  ],
  [/^(?:organi[sz]ation|org|tenant|church|account|workspace)(?:_id)?$/, 'the API key determines the organization'],
  [
    /^(?:ending_before|end_before|before_id|prev|previous|last|before)$/,
    'pages are read forwards only, with cursor, and no filter ends at a time; where there is order_by, order_by=-entry begins with the newest record',
    'until',
  ],
  [/^(?:q|query|search|keywords?|term|text)$/, 'it has no search', 'q', 'query'],
  [
    /^(?:include|expand|embed|with|populate|relations|includes|preload)\b/,
    'related records are not included; the GraphQL API at /graphql reads those that it has fields for',
    'include',
  ],
  [/^(?:time_?zone|tz|utc_offset)$/, 'timestamps are in UTC, and dates in the time zone of the organization'],
  [/^(?:updated?|modified|changed)(?:_\w+)?$/, 'GET /v1/changes returns what changed', 'updated_since', 'resources'],
  [
    /^(?:since|from|after|created|updated?|modified|changed)(?:_\w+)?$/,
    'use cursor, the next_cursor of the last request, instead of a time; without cursor, the oldest change is first',
    'created_since',
    'ids',
  ],
  [/^(?:created|updated|modified)_by$/, 'it is not stored who wrote a record'],
  [/^(?:format|accept|callback|jsonp|pretty|output)$/, 'every response is JSON'],
];

/** The ends of names that mean a comparison, as in `created_at[gte]`, `city__like` and `name_cont`. */
const OPERATOR =
  /[[_]+(?:\$?(?:i?eq|i?exact|gte?|min|in|any|all|after|from|since|value|i?like|cont|i?contains|i?starts_?with|search|match))\]?$/;
const END = /[[_]+\$?(?:lte?|max|before|until|to)\]?$/;

/** Parts of names that only contain others: `filter[tag]` is about tags. */
const CONTAINER = /^(?:filters?|where|page|search|q|query|sort|conditions?)$/;

/**
 * Returns what to send to an operation instead of a parameter of another API, in any notation, with or without brackets and
 * operators, as in `page[size]` and `created_at__gte`: the parameter that means the same, or why there is none; undefined for
 * a name that is not known.
 *
 * @param value what was sent.
 */
export function replacementFor(name: string, value: string, operation: SupportedParameters): string | undefined {
  const { fields = [], searchedFieldsText } = operation;
  const names = operation.names.filter((one) => canHave(one, value));
  const notationOf = (one: string) => {
    if (/^(?:from|until)$/.test(one)) return withDate(one, value);
    if (one.endsWith('_id')) return `${one}; GET /v1/${one.replace(/_id$/, 's')} lists the ids`;
    if (one.endsWith('_since')) return withTime(one, value);
    const notation = NOTATIONS[one];
    return typeof notation === 'function' ? notation(operation, value) : notation;
  };
  const days = (isFirst: boolean, isLast: boolean) =>
    `use ${[!isLast && 'from', (isLast || !isFirst) && 'until'].flatMap((one) => (one ? [notationOf(one)] : [])).join(DATE.test(value) ? '&' : ' and ')}`;
  const sent = name
    .replace(/^[$_]+/, '')
    .replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase();
  const known = WITHOUT_PARAMETER.find(
    ([pattern, , ...unless]) => pattern.test(sent) && !unless.some((one) => operation.names.includes(one)),
  );
  if (known) return known[1];
  const isEnd = END.test(sent) && !names.includes(sent);
  const base = sent.replace(END, '').replace(OPERATOR, '');
  const inBrackets = base.split(/[[\].$]+/).filter(Boolean);
  // In `sort[created_at]`, the field is only a part of the order.
  const [outer = ''] = inBrackets;
  const parts = /^(?:sort|order)/.test(outer)
    ? [outer]
    : [sent, ...inBrackets.filter((part) => !CONTAINER.test(part)), ...inBrackets];
  for (const part of parts) {
    if (isEnd && part !== sent) break;
    const found = similarNames(part, names);
    if (found.length === 0) continue;
    if (found.join() === 'from,until') return days(/(?:gte?|min|after)\]?$/.test(sent), false);
    const notations = sameNames(part, found).length > 0 ? [] : found.flatMap((one) => notationOf(one) ?? []);
    if (notations.length > 0) return `use ${notations.slice(0, 2).join(' or ')}`;
    const isOperator = base !== sent && !/eq\]?$|exact\]?$/.test(sent);
    const isList = found.every((one) => operation.lists.has(one));
    const notation =
      isOperator && !isList ? ' It has one whole value, without operators' : ' Write it without brackets';
    return `did you mean ${alternatives(found)}?${isOperator || /[[.]/.test(name) ? notation : ''}`;
  }
  const possible = /^\d{1,7}$/.test(value) ? fields.filter((one) => !/date|time|_at$/.test(one)) : fields;
  const found = parts.map((part) => similarNames(part, possible)).find((similar) => similar.length > 0) ?? [];
  const [field = ''] = found;
  if (isEnd && /_at$/.test(field)) return 'no filter ends at a time';
  const since = field.replace(/_at$/, '_since');
  if (since !== field && names.includes(since)) return `use ${notationOf(since)}`;
  const isDay = /date/.test(field) || (/time$/.test(field) && /^\d{4}-\d\d/.test(value));
  if (isDay && names.includes('until')) return days(field.startsWith('start'), isEnd || field.startsWith('end'));
  if (field === '' || field === 'id') return undefined;
  if (searchedFieldsText?.includes(field.replaceAll('_', ' '))) return `use ${notationOf('q')}`;
  const unfiltered = alternatives(found.filter((one) => !operation.names.includes(one)));
  return unfiltered ? `no parameter filters by ${unfiltered}; compare it in the records yourself` : undefined;
}
