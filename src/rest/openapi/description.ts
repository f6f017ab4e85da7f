/** What holds for every operation, in Markdown: how to ask, and what the specification leaves open. */
export const DESCRIPTION = `
The records of one organization – members, tags, prayer requests, forms and their responses, events, services,
departments. The same records stand behind the GraphQL API at \`/graphql\`, with the same keys, ids and cursors.

## Keys

Every request carries an API key in the header \`X-Api-Key\`. The key alone decides the organization, and its scopes
what it may do; each operation names the scope it needs. A key is a secret: use it from servers only (there are no
CORS headers). It can have an expiry date and can be revoked; both hold from the next request on.

Checks come in this order: key, rate, path and method, scope, input, record.

## Rate

A key has a budget of 120 requests a minute for REST and GraphQL together, in a window of one minute from its first
request. \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\` are on every answer; over the budget it is 429
\`rate_limited\` with \`Retry-After\`. Requests without a valid key are counted by client address in the same way,
those of an IPv6 address by its /64 network.

## Lists

Lists are in the order in which records entered the organization, oldest first. A page has \`limit\` records (25, at
most 100: a larger number is 100). Send \`pagination.next_cursor\` as \`cursor\` for the next page, until \`has_more\`
is false. A page of departments has fewer where their members are many: it shows 200,000 ids of members at most, or one
department. A cursor is opaque, stays valid when its record is removed, and belongs to its organization, list and search:
anything else is 400 \`invalid_cursor\`.

\`q\` (also accepted as \`search\`) has up to 200 characters. Each of its words must be a part of one of the fields that
are searched, in any order and in any letter case; \`%\`, \`_\` and \`\\\` are ordinary characters, and a phone number is
found in any usual writing.

## Values

- Ids are strings that stay the same everywhere; forms and their fields have integer ids.
- A field without a value is present and null. Records may gain fields: ignore those you do not know.
- Moments are ISO 8601 in UTC, days \`YYYY-MM-DD\`.
- Text is stored in Unicode NFC without white space around it; NUL and lone surrogates are refused. Short fields hold
  255 characters, descriptions 10,000, a body 100 KB. More than 100 combining marks in a row are refused.
- Email addresses are kept in lower case. Phone numbers of members are read by libphonenumber, without a country code
  in the organization’s country, and stored as E.164.
- Fields of a body and query parameters that are not described are refused by name.

## Repeating a write

Send an \`Idempotency-Key\` (1 to 255 printable ASCII characters) with a POST or PATCH to make it safe to repeat: the
first answer is given again for 24 hours, with \`Idempotency-Replayed: true\`. The same key with another request is
409 \`idempotency_conflict\`; while the first is being carried out, 409 \`idempotency_in_flight\`. An answer of more than
64 KB is not kept: the repetition is 409 \`idempotency_conflict\` too, and still not carried out.

## Errors

\`{ "error": { "code", "message" } }\`; only \`invalid_request\` has \`details\`, one \`{ field, message }\` for each
wrong field. Codes are stable, messages are for people. Beyond the errors of each operation, an unknown path is 404
\`not_found\` and another method than those described is 405 \`method_not_allowed\` with \`Allow\`.
`.trim();
