import { onOneStore } from '../../../support/service.ts';
import { create, describeHints, describeMessages, type Mistakes } from './mistakes.ts';

const FRAGMENT = 'Write a fragment as "... on Member { … }", or as "...Name" and "fragment Name on Member { … }".';

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
    ['{ member(id: “x”) }', 'Write straight double quotes ("), without "\\" and "`".'],
    ['{ viewer // the key\n}', 'Comments begin with "#"; a path of REST has its own URL.'],
    ['{ viewer { keyName } } }', 'It closes nothing, or another bracket before it is still open.'],
    [
      '{ members(filter: { "1": 2 }) { totalCount } }',
      'A name cannot be a number; answers are written as [{ fieldId: 1, value: … }].',
    ],
    ['{ events(filter: { from: 2026-01-01 }) { totalCount } }', 'Write text and dates in quotes; names have no "-".'],
    ['{ viewer ; }', 'Separate fields and arguments with spaces, commas or line breaks.'],
    [
      '{ members { nodes [id] } }',
      'Write arguments in parentheses and fields in braces, as in "members(first: 5) { nodes { id } }".',
    ],
    ['{ members first: 5 { totalCount } }', 'Write arguments in parentheses, as in "members(first: 5)".'],
    ['{ members(first: 5 { totalCount } }', 'Close "(" with ")" before "{".'],
    ['{ members: { totalCount } }', 'Write the name of a field after ":", or leave out ":".'],
    ['{ members { nodes { firstName: } } }', 'Write the name of a field after ":", or leave out ":".'],
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
    [
      '{ members(filter: { isGuest: true ) { totalCount } }',
      'It closes nothing, or another bracket before it is still open.',
    ],
    ['{"query":"{ viewer { keyName } }"}', 'It is a JSON body; send only the text of its "query".'],
    ['/v1/members', 'Comments begin with "#"; a path of REST has its own URL.'],
    ['GET /v1/members', 'Comments begin with "#"; a path of REST has its own URL.'],
    [
      'query members(first: 5) { totalCount }',
      'The names of variables begin with "$"; arguments belong to a field, inside "{ … }".',
    ],
    ['{ members { nodes { ... Member { id } } } }', FRAGMENT],
    ['{ members { nodes { ... } } }', FRAGMENT],
    ['fragment F Member { id }', FRAGMENT],
    ['{ members { nodes { ...F } } } fragment F { id }', FRAGMENT],
    ['query ($id) { __typename }', 'Write arguments as "name: value", and variables as "$name: Type".'],
    ['fragment F on { id }', FRAGMENT],
    ['{ members { nodes.id } }', 'Select nested fields in braces, as in "nodes { id }"; a fragment has three dots.'],
    ['{ members { nodes { id; city } } }', 'Separate fields and arguments with spaces, commas or line breaks.'],
    ['{ members { * } }', 'Name each field to select.'],
    ['{ members { nodes { first-name } } }', 'Write text and dates in quotes; names have no "-".'],
    [
      '{ member(id: "x) { id } }',
      'Close it with " on the same line; write " inside a text as \\", and """ around several lines.',
    ],
    ['{ member(id: «x») { id } }', 'Write straight double quotes ("), without "\\" and "`".'],
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
