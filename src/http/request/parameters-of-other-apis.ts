/** The parameters that an operation has; an error message recommends one of them. */
export interface SupportedParameters {
  readonly names: readonly string[];
  /** What the parameter `q` searches, if the operation has it. */
  readonly searched?: string | undefined;
  /** The names of the orders, if it is a list. */
  readonly orders?: readonly string[] | undefined;
}

/** What to send instead of a parameter that other APIs have. */
interface Replacement {
  /** The recommended parameter; the replacement applies to operations that have it. Undefined if it applies to all. */
  readonly parameter?: string;
  readonly message: (operation: SupportedParameters) => string;
}

const use = (parameter: string, rest: string): Replacement => ({ parameter, message: () => `use ${parameter}${rest}` });
const explain = (message: string): Replacement => ({ message: () => message });

const SEARCH: Replacement = {
  parameter: 'q',
  message: ({ searched }) => `use q=smith, which searches the ${searched}`,
};
const ORDER: Replacement = {
  parameter: 'order_by',
  message: ({ orders }) =>
    `use order_by with - before the name for descending order, as in order_by=-entry; the names are ${orders?.join(', ')}`,
};
const NEXT_PAGE = use('cursor', ', with the next_cursor of the previous page; the first page has none');
const SINCE = use('updated_since', '=2026-01-31');
const CREATED = use('created_since', '=2026-01-31');
const FROM = use('from', '=2026-01-31');
const CHANGES = use(
  'resources',
  ' and cursor, the next_cursor of the last request, instead of a time; without cursor, the oldest change is first',
);
const SYNC = explain('GET /v1/changes returns what was changed since a cursor');

/** Parameters that other APIs have, separated by spaces and in snake_case. The first replacement that applies is used. */
const OF_OTHER_APIS: readonly (readonly [names: string, ...replacements: Replacement[]])[] = [
  ['role position title job job_title', use('designation_id', '; GET /v1/designations lists the ids'), SEARCH],
  ['query search_text search_name term keyword name first_name last_name phone phone_number address', SEARCH],
  ['page page_number page_token offset skip starting_after', NEXT_PAGE],
  ['after', FROM, NEXT_PAGE],
  ['per_page page_size max_results max_records size first top', use('limit', '=100')],
  ['sort sort_by sort_order sort_dir sort_direction order orderby direction', ORDER],
  ['total with_total include_total', use('count', '=true')],
  ['from since start start_date date_from', FROM, SINCE, CHANGES, SYNC],
  ['created created_at created_after created_since', CREATED, SINCE, CHANGES, SYNC],
  ['updated updated_at updated_after updated_since modified_since', SINCE, CHANGES, SYNC],
  ['deleted include_deleted include_removed with_deleted', explain('only GET /v1/changes names removed records')],
  ['date upcoming past', use('from', '=2026-01-31&until=2026-01-31'), CHANGES],
  ['to end end_date until', use('until', '=2026-01-31'), CHANGES],
  ['type entity model object q ids order_by count tag_id is_guest', use('resources', '=members,tags, the only filter')],
  ['answered is_answered state', use('status', '=answered or status=pending')],
  ['status open active', use('is_published', '=true&accepting_response=true')],
  [
    'fields select',
    explain('every field is returned; the GraphQL API at /graphql returns the fields that are selected'),
  ],
  [
    'include expand',
    explain('related records are not included; the GraphQL API at /graphql reads them in one request'),
  ],
  ['key api_key apikey token access_token', explain('send the API key in the header X-Api-Key only')],
];

/** Operators that other APIs have in names, as in `created_at[lt]`, `city__like` and `tag_id!`. */
const OPERATORS: readonly (readonly [RegExp, ...Replacement[]])[] = [
  [/(?:[[_](?:lte?|max)\]?|_before)$/, use('until', '=2026-01-31'), explain('no filter ends at a time')],
  [/(?:[[_](?:i?like|cont|contains|starts_with)\]?)$/, SEARCH],
  [/^(?:-|not_|exclude)|!$|[[_](?:neq?|not|nin)\]?$/, explain('no filter excludes records')],
];

const REPLACEMENTS = new Map(
  OF_OTHER_APIS.flatMap(([names, ...replacements]) => names.split(' ').map((name) => [name, replacements] as const)),
);

/**
 * Returns what to send to an operation instead of a parameter that other APIs have, with or without brackets, as in
 * `page[size]`; undefined for any other name.
 */
export function replacementFor(name: string, operation: SupportedParameters): string | undefined {
  const [outer = '', inner] = name
    .replace(/^\$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase()
    .split(/[[\]]/);
  if (inner && operation.names.includes(inner)) return `did you mean ${inner}? Write it without brackets`;
  const [, ...ofOperator] = OPERATORS.find(([pattern]) => pattern.test(name)) ?? [];
  const ofNames = [inner, outer].flatMap((part) => REPLACEMENTS.get(part?.replace(/_+(?:gte?|min)$/, '') ?? '') ?? []);
  const replacements = [...ofOperator, ...ofNames];
  const applies = ({ parameter }: Replacement) => parameter === undefined || operation.names.includes(parameter);
  return replacements.find(applies)?.message(operation);
}
