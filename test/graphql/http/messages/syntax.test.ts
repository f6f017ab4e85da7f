import { onOneStore } from '../../../support/service.ts';
import { create, describeMessages, type Mistakes } from './mistakes.ts';

const MISTAKES: Mistakes = {
  'the syntax': [
    [
      '{ viewer { keyName }',
      'Syntax Error: Expected Name, found <EOF>. The document ends before an operation is complete; each "{" needs a "}". (line 1, column 21, after "{ viewer { keyName }")',
    ],
    [
      '{\n  viewer { }\n}',
      'Syntax Error: Expected Name, found "}". Select at least one field between "{" and "}". (line 2, column 12, after "{ viewer {")',
    ],
    [
      '{ members() }',
      'Syntax Error: Expected Name, found ")". Leave out parentheses without arguments. (line 1, column 11, after "{ members(")',
    ],
    [
      '{ "viewer" }',
      'Syntax Error: Expected Name, found String "viewer". Write names without quotes; a document is not JSON. (line 1, column 3, after "{")',
    ],
    [
      create(', dateOfBirth: 1990-12-31'),
      'Syntax Error: Expected Name, found Int "-12". Write text and dates in quotes; names have no "-". (line 1, column 113, after ".org\\", dateOfBirth: 1990")',
    ],
    [
      'query (id: ID!) { __typename }',
      'Syntax Error: Expected "$", found Name "id". The names of variables begin with "$"; arguments belong to a field, inside "{ … }". (line 1, column 8, after "query (")',
    ],
    [
      '{ members(first=5) }',
      'Syntax Error: Expected ":", found "=". Write arguments as "name: value", and variables as "$name: Type". (line 1, column 16, after "{ members(first")',
    ],
    [
      'viewer { keyName }',
      'Syntax Error: Unexpected Name "viewer". An operation begins with "{", "query", "mutation" or "subscription". (line 1, column 1)',
    ],
    [
      '{ member(id: “x”) }',
      'Syntax Error: Unexpected character: U+201C. Write straight double quotes ("). (line 1, column 14, after "{ member(id:")',
    ],
    [
      '{ viewer // the key\n}',
      'Syntax Error: Unexpected character: "/". Comments begin with "#". (line 1, column 10, after "{ viewer")',
    ],
    [
      '{ viewer { keyName } } }',
      'Syntax Error: Unexpected "}". It closes no "{", or a "(" or "[" before it is still open. (line 1, column 24, after "{ viewer { keyName } }")',
    ],
    [
      '{ members(filter: { "1": 2 }) { totalCount } }',
      'Syntax Error: Expected Name, found String "1". A name cannot be a number; write ":" before it if it is a value, and answers as [{ fieldId: 1, value: … }]. (line 1, column 21, after "{ members(filter: {")',
    ],
    [
      '{ events(filter: { from: 2026-01-01 }) { totalCount } }',
      'Syntax Error: Invalid number, unexpected digit after 0: "1". Write text and dates in quotes; names have no "-". (line 1, column 32, after "s(filter: { from: 2026-0")',
    ],
    [
      '{ viewer ; }',
      'Syntax Error: Unexpected character: ";". Separate fields and arguments with spaces, commas or line breaks. (line 1, column 10, after "{ viewer")',
    ],
    [
      '{ members { nodes [id] } }',
      'Syntax Error: Expected Name, found "[". Select fields in braces, without a list, as in "nodes { id firstName }". (line 1, column 19, after "{ members { nodes")',
    ],
    [
      '{ members first: 5 { totalCount } }',
      'Syntax Error: Expected Name, found Int "5". Write arguments in parentheses, as in "members(first: 5)". (line 1, column 18, after "{ members first:")',
    ],
    [
      '{ members(first: 5 { totalCount } }',
      'Syntax Error: Expected Name, found "{". Close "(" with ")" before "{". (line 1, column 20, after "{ members(first: 5")',
    ],
    [
      '{ members: { totalCount } }',
      'Syntax Error: Expected Name, found "{". Select fields without ":", as in "members { … }". (line 1, column 12, after "{ members:")',
    ],
    [
      '{ members { nodes { firstName: } } }',
      'Syntax Error: Expected Name, found "}". Write the name of a field after ":". (line 1, column 32, after "rs { nodes { firstName:")',
    ],
    [
      '{ member("x") { id } }',
      'Syntax Error: Expected Name, found String "x". Write an argument with its name, as in "(id: …)". (line 1, column 10, after "{ member(")',
    ],
    [
      '{ member($id) { id } }',
      'Syntax Error: Expected Name, found "$". Write an argument with its name, as in "(id: …)". (line 1, column 10, after "{ member(")',
    ],
    [
      'mutation { createMember({ firstName: "A" }) { record { id } } }',
      'Syntax Error: Expected Name, found "{". Write an argument with its name, as in "(id: …)". (line 1, column 25, after "mutation { createMember(")',
    ],
    [
      '{ member(id: ) { id } }',
      'Syntax Error: Unexpected ")". Write a value after ":". (line 1, column 14, after "{ member(id:")',
    ],
    [
      '{ member(id: {{id}}) { id } }',
      'Syntax Error: Expected Name, found "{". Templates are not filled in; write a variable, as in "id: $id". (line 1, column 15, after "{ member(id: {")',
    ],
    [
      '{ member(id: :id) { id } }',
      'Syntax Error: Unexpected ":". Templates are not filled in; write a variable, as in "id: $id". (line 1, column 14, after "{ member(id:")',
    ],
    [
      '{ member(id: %s) { id } }',
      'Syntax Error: Unexpected character: "%". Templates are not filled in; write a variable, as in "id: $id". (line 1, column 14, after "{ member(id:")',
    ],
    [
      '{ members(filter: isGuest: true) { totalCount } }',
      'Syntax Error: Expected Name, found ":". Write an object in braces, as in "filter: { name: value }". (line 1, column 26, after "members(filter: isGuest")',
    ],
    [
      '{ members(filter: { isGuest: true ) { totalCount } }',
      'Syntax Error: Expected Name, found ")". Close "{" with "}" before ")". (line 1, column 35, after "filter: { isGuest: true")',
    ],
    [
      '{"query":"{ viewer { keyName } }"}',
      'Syntax Error: Expected Name, found String "query". It is a JSON body; send only the text of its "query". (line 1, column 2, after "{")',
    ],
    [
      '/v1/members',
      'Syntax Error: Unexpected character: "/". It is a path, not an operation; call REST at its own URL. (line 1, column 1)',
    ],
    [
      'GET /v1/members',
      'Syntax Error: Unexpected Name "GET". It is a path, not an operation; call REST at its own URL. (line 1, column 1)',
    ],
    [
      'query members(first: 5) { totalCount }',
      'Syntax Error: Expected "$", found Name "first". The names of variables begin with "$"; arguments belong to a field, inside "{ … }". (line 1, column 15, after "query members(")',
    ],
    [
      '{ members { nodes { ... Member { id } } } }',
      'Syntax Error: Expected Name, found "{". Write "on" before a type, as in "... on Member { … }". (line 1, column 32, after "rs { nodes { ... Member")',
    ],
    [
      '{ members { nodes { ... } } }',
      'Syntax Error: Expected "{", found "}". Write the name of a fragment, or "on" and a type, after "...". (line 1, column 25, after "{ members { nodes { ...")',
    ],
    [
      'fragment F Member { id }',
      'Syntax Error: Expected "on", found Name "Member". Write a fragment as "fragment Name on Member { … }". (line 1, column 12, after "fragment F")',
    ],
    [
      'fragment F on { id }',
      'Syntax Error: Expected Name, found "{". Write a fragment as "fragment Name on Member { … }". (line 1, column 15, after "fragment F on")',
    ],
    [
      '{ members { nodes.id } }',
      'Syntax Error: Unexpected character: ".". Select nested fields in braces, as in "nodes { id }"; a fragment has three dots. (line 1, column 18, after "{ members { nodes")',
    ],
    [
      '{ members { nodes { id; city } } }',
      'Syntax Error: Unexpected character: ";". Separate fields and arguments with spaces, commas or line breaks. (line 1, column 23, after "{ members { nodes { id")',
    ],
    [
      '{ members { * } }',
      'Syntax Error: Unexpected character: "*". Name each field to select. (line 1, column 13, after "{ members {")',
    ],
    [
      '{ members { nodes { first-name } } }',
      'Syntax Error: Invalid number, expected digit but got: "n". Write text and dates in quotes; names have no "-". (line 1, column 27, after "members { nodes { first-")',
    ],
    [
      '{ member(id: "x) { id } }',
      'Syntax Error: Unterminated string. Close it with " on the same line, or write """ around a text of several lines. (line 1, column 26, after "member(id: \\"x) { id } }")',
    ],
    [
      '{ member(id: «x») { id } }',
      'Syntax Error: Unexpected character: U+00AB. Write straight double quotes ("). (line 1, column 14, after "{ member(id:")',
    ],
    [
      '{ viewer\u00a0{ keyName } }',
      'Syntax Error: Unexpected character: U+00A0. Replace it with a normal space. (line 1, column 9, after "{ viewer")',
    ],
    [
      '[{ viewer }]',
      'Syntax Error: Unexpected "[". An operation begins with "{", "query", "mutation" or "subscription". (line 1, column 1)',
    ],
  ],
};

onOneStore((service) => describeMessages(service, MISTAKES));
