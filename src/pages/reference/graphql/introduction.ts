/** The introduction to the GraphQL API, in Markdown. It describes what applies to every operation. */
export const INTRODUCTION = `
## Authentication

Send an API key in the header \`X-Api-Key\`, as in REST. The key determines the organization, and its scopes determine
what it may read and write. A field that requires an additional scope is nullable:
if the key lacks the scope, only this field is null, with the error \`missing_scope\`. Introspection requires a key too.

## Cost

An operation costs points from the same rate-limit budget as REST requests: one point for each field at the root, one
for each nested connection or list of records, regardless of the number of parents, and one for each selection of
\`totalCount\`. The cost is charged before the operation runs. The remaining points are in the
headers \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\`, and in \`extensions.rateLimit\` of the response. Operations
that could return too much are rejected with \`query_too_complex\`.

## Lists

Lists are Relay connections. They are paged forwards with \`first\` and \`after\`, and backwards with \`last\` and
\`before\`. \`endCursor\` is the same string as \`next_cursor\` in REST, and each API accepts the cursors of the other
one. Select \`nodes\` if you do not need a cursor for each record. A search can have up to 200 characters; a record
matches if each word is a substring of one of the searched fields.

## Subscriptions

The subscription \`changes\` streams the change feed as Server-Sent Events, to clients that accept \`text/event-stream\`.
Each event of the type \`next\` has a result as its data, and the cursor of its change as its id. A stream that breaks
continues from there with the header \`Last-Event-ID\`. If the points of the key are used up, it pauses.

## Idempotent requests

Send an \`Idempotency-Key\` (1 to 255 printable ASCII characters) with a mutation to retry it safely: for 24 hours,
retries get the first result again.

## Errors

\`extensions.code\` of an error is the same code as in REST, and \`extensions.details\` lists invalid fields. If the
whole operation fails, for example because the key is invalid, the HTTP status is the same as in REST. If only some
fields fail, the status is 200, and the response also contains the data that could be read. If the \`Accept\` header
asks for \`application/json\`, an invalid document or variable has status 200 too.
`.trim();
