import { MAX_COMBINING_MARKS_IN_A_ROW, MAX_MEMBER_IDS } from '../../domain/values/limits.ts';

/** The introduction to the API reference, in Markdown. It describes what applies to every operation. */
export const DESCRIPTION = `
The records of one organization: members, tags, prayer requests, forms and their responses, events, services and
departments. The GraphQL API at \`/graphql\` serves the same records, with the same API keys, ids and cursors.

## Authentication

Send an API key in the header \`X-Api-Key\` of every request. A key belongs to one organization, and its scopes determine
which operations it may call; each operation lists the scope it needs. Keep keys secret and use them from servers only
(there are no CORS headers). A key can have an expiry date and can be revoked; both take effect with the next request.

Requests are checked in this order: key, rate limit, path and method, scope, input, record.

## Rate limiting

By default, a key has a budget of 120 points per minute, shared by REST and GraphQL, in a fixed window of one minute
that starts with its first request. A request costs one point; counting a list costs one more. Every response has the
headers \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\`. Requests that exceed the budget get 429 \`rate_limited\`
with \`Retry-After\`. Requests without a valid key are limited by client address in the same way (IPv6 clients by /64
network).

## Lists

By default, lists are in the order in which the records were added to the organization, oldest first. A page has
\`limit\` records (default 25, maximum 100; larger numbers are treated as 100). To get the next page, send
\`pagination.next_cursor\` as \`cursor\`, until \`has_more\` is false. A page can have fewer records than \`limit\`
although \`has_more\` is true: if the lists and long texts of its records (for example the answers of form responses)
would have more than 1 MB in total, or if departments would have more than ${MAX_MEMBER_IDS.toLocaleString('en-US')} member ids. It always has at least
one record. A cursor is opaque, stays valid when its record is deleted, and can only be used with the same organization,
list, search, filters and order; otherwise the response is 400 \`invalid_cursor\`.

\`q\` (alias \`search\`) can have up to 200 characters. A record matches if each word is a substring of one of the searched
fields, in any order, ignoring case, accents, vowel points, and brackets, quotation marks, commas and full stops around words.
\`*\`, \`%\`, \`_\` and \`\\\` are ordinary characters: there are no wildcards and no operators. Phone numbers match in any common notation.

## Changes

\`GET /changes\` returns each changed record once, with its latest change. Its \`next_cursor\` is never null. The error
\`invalid_cursor\` means that the cursor belongs to other resources, or that the database was restored or failed over: discard
your copy of the records, and start again without a cursor. With \`wait\`, a request waits for changes.

## Values

- Ids are stable strings; forms and form fields have integer ids.
- Fields without a value are null, never absent. New fields may be added to records: ignore fields you do not know.
- Timestamps are ISO 8601 in UTC, dates are \`YYYY-MM-DD\`.
- Text is stored in Unicode NFC, without leading and trailing white space. NUL, lone surrogates and more than
  ${MAX_COMBINING_MARKS_IN_A_ROW} combining marks in a row are rejected; short fields lose invisible characters. Short fields have up to 255 characters, descriptions up to 10,000, request
  bodies up to 100 KB.
- Email addresses are stored in lower case. Members’ phone numbers are parsed by libphonenumber and stored in E.164
  format; a number without a country code is parsed as a number of the organization’s country.
- Unknown body fields and query parameters are rejected.

## Idempotent requests

Send an \`Idempotency-Key\` (1 to 255 printable ASCII characters) with a POST or PATCH to retry it safely: for 24 hours,
retries get the first response again, with \`Idempotency-Replayed: true\`. Using the key for a different request returns
409 \`idempotency_conflict\`; using it while the first request is still running returns 409 \`idempotency_in_flight\`.
Responses of more than 128 KiB are not stored: a retry gets 409 \`idempotency_conflict\` and is not executed again.

## Conditional requests

Responses with a single record, a member’s tags or the organization have an \`ETag\`. With \`If-None-Match\`, a GET returns
304 while nothing has changed. With \`If-Match\`, a PATCH of the same path returns 412 \`precondition_failed\`, and changes
nothing, if the resource has changed since.

## Errors

An error is \`{ "error": { "code", "message" } }\`. Only \`invalid_request\` has \`details\`, with a
\`{ field, message }\` for each invalid field; some problems are only found when others are solved. Codes are stable; messages are human-readable and may change. In addition to
the errors listed for each operation, an unknown path returns 404 \`not_found\`, and an unsupported method returns 405
\`method_not_allowed\` with the header \`Allow\`.
`.trim();
