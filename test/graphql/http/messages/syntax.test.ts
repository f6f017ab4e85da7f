import { onOneStore } from '../../../support/service.ts';
import { create, describeHints, describeMessages, type Mistakes } from './mistakes.ts';

const HINTS: Mistakes = {
  'the syntax': [
    ['{\n  viewer { }\n}', 'Select at least one field between "{" and "}".'],
    ['{ members() }', 'Leave out parentheses without arguments.'],
    ['{ "viewer" }', 'Write names without quotes; a document is not JSON.'],
    [create(', dateOfBirth: 1990-12-31'), 'Write text and dates in quotes; names have no "-".'],
    [
      'query (id: ID!) { __typename }',
      'The names of variables begin with "$"; arguments belong to a field, inside "{ … }".',
    ],
    ['{ members(first=5) }', 'Write arguments as "name: value", and variables as "$name: Type".'],
    ['viewer { keyName }', 'An operation begins with "{", "query", "mutation" or "subscription".'],
    ['{ member(id: “x”) }', 'Write straight double quotes (").'],
    ['{ viewer // the key\n}', 'Comments begin with "#"; a path of REST is called at its own URL.'],
    ['{ viewer { keyName } } }', 'It closes no "{", or a "(" or "[" before it is still open.'],
    [
      '{ members(filter: { "1": 2 }) { totalCount } }',
      'A name cannot be a number; write ":" before it if it is a value, and answers as [{ fieldId: 1, value: … }].',
    ],
    ['{ events(filter: { from: 2026-01-01 }) { totalCount } }', 'Write text and dates in quotes; names have no "-".'],
    ['{ viewer ; }', 'Separate fields and arguments with spaces, commas or line breaks.'],
    [
      '{ members { nodes [id] } }',
      'Write arguments in parentheses and fields in braces, as in "members(first: 5) { nodes { id } }".',
    ],
    ['{ members first: 5 { totalCount } }', 'Write arguments in parentheses, as in "members(first: 5)".'],
    ['{ members(first: 5 { totalCount } }', 'Close "(" with ")" before "{".'],
    ['{ members: { totalCount } }', 'Select fields without ":", as in "members { … }".'],
    ['{ members { nodes { firstName: } } }', 'Write the name of a field after ":".'],
    ['{ member("x") { id } }', 'Write an argument with its name, as in "(id: …)".'],
    ['{ member($id) { id } }', 'Write an argument with its name, as in "(id: …)".'],
    [
      'mutation { createMember({ firstName: "A" }) { record { id } } }',
      'Write an argument with its name, as in "(id: …)".',
    ],
    ['{ member(id: ) { id } }', 'Write a value after ":".'],
    ['{ member(id: {{id}}) { id } }', 'Templates are not filled in; write a variable, as in "id: $id".'],
    ['{ member(id: :id) { id } }', 'Templates are not filled in; write a variable, as in "id: $id".'],
    ['{ member(id: %s) { id } }', 'Templates are not filled in; write a variable, as in "id: $id".'],
    [
      '{ members(filter: isGuest: true) { totalCount } }',
      'Write an object in braces, as in "filter: { name: value }".',
    ],
    ['{ members(filter: { isGuest: true ) { totalCount } }', 'Close "{" with "}" before ")".'],
    ['{"query":"{ viewer { keyName } }"}', 'It is a JSON body; send only the text of its "query".'],
    ['/v1/members', 'Comments begin with "#"; a path of REST is called at its own URL.'],
    ['GET /v1/members', 'It is a path, not an operation; call REST at its own URL.'],
    [
      'query members(first: 5) { totalCount }',
      'The names of variables begin with "$"; arguments belong to a field, inside "{ … }".',
    ],
    ['{ members { nodes { ... Member { id } } } }', 'Write "on" before a type, as in "... on Member { … }".'],
    ['{ members { nodes { ... } } }', 'Write the name of a fragment, or "on" and a type, after "...".'],
    ['fragment F Member { id }', 'Write a fragment as "fragment Name on Member { … }".'],
    ['fragment F on { id }', 'Write a fragment as "fragment Name on Member { … }".'],
    ['{ members { nodes.id } }', 'Select nested fields in braces, as in "nodes { id }"; a fragment has three dots.'],
    ['{ members { nodes { id; city } } }', 'Separate fields and arguments with spaces, commas or line breaks.'],
    ['{ members { * } }', 'Name each field to select.'],
    ['{ members { nodes { first-name } } }', 'Write text and dates in quotes; names have no "-".'],
    ['{ member(id: "x) { id } }', 'Close it with " on the same line, or write """ around a text of several lines.'],
    ['{ member(id: «x») { id } }', 'Write straight double quotes (").'],
    ['{ viewer\u00a0{ keyName } }', 'Replace it with a normal space.'],
    ['[{ viewer }]', 'An operation begins with "{", "query", "mutation" or "subscription".'],
  ],
};

const MESSAGES: Mistakes = {
  'the syntax': [
    [
      '{ viewer { keyName }',
      'Syntax Error: Expected Name, found <EOF>. The document ends before an operation is complete; each "{" needs a "}". (line 1, column 21, after "{ viewer { keyName }")',
    ],
  ],
};

onOneStore((service) => {
  describeHints(service, HINTS);
  describeMessages(service, MESSAGES);
});
