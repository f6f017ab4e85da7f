/** The introduction to the GraphQL API, in Markdown. It describes what applies to every operation. */
export const INTRODUCTION = `
## Authentication

Send operations to \`POST /graphql\`, with an API key in the header \`X-Api-Key\` as in REST. The key determines the
organization, and its scopes what it may read and write. A field that needs a scope of its own is nullable: if the key
lacks the scope, only this field is null, with the error \`missing_scope\`. Introspection needs a key too.

## Cost

An operation costs points from the same budget of the key as REST requests: one point for each field at the root, one
for each nested connection or list of records, no matter for how many parents it is read, and one for each selection of
\`totalCount\` or \`totalCountAtLeast\`. The cost is charged before the operation runs. The remaining points are in the
headers \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\`, and in \`extensions.rateLimit\` of the response. Operations
that could return too much are rejected with \`query_too_complex\`.

## Lists

Lists are connections in the sense of Relay, forwards with \`first\` and \`after\` and backwards with \`last\` and
\`before\`. An \`endCursor\` is the same string as \`next_cursor\` in REST, and each API accepts the other’s. Select
\`nodes\` if you need no cursor for each record. A search has up to 200 characters; a record matches if each word is a
substring of one of the searched fields.

## Idempotent requests

Send an \`Idempotency-Key\` (1 to 255 printable ASCII characters) with a mutation to retry it safely: for 24 hours,
retries get the first result again.

## Errors

\`extensions.code\` of an error is the code of REST, and \`extensions.details\` lists invalid fields. Errors before
execution, such as an invalid key, have the HTTP status of REST. Errors during execution have status 200, next to the
data that could be read.
`.trim();
