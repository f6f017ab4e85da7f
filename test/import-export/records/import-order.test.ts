import { expect, it } from 'vitest';
import { formResponse } from '../../../src/domain/entities/form-response.ts';
import { importResourceFor } from '../../../src/import-export/records/entity-definition.ts';

const columnsOf = (importOrder: readonly string[]) =>
  Object.keys(importResourceFor({ ...formResponse, importOrder }, { isExternalIdOptional: true }).fields);

it('the columns of a file have the order of the entity', () => {
  expect(columnsOf(['answers', 'form', 'submitted_at'])).toEqual(['external_id', 'answers', 'form', 'submitted_at']);
});

it.each([
  ['lacks a field', ['form', 'answers']],
  ['has an unknown field', ['form', 'submitted_at', 'answers', 'nothing']],
  ['repeats a field', ['form', 'submitted_at', 'answers', 'form']],
])('an order that %s is rejected when the entity is defined', (_, importOrder) => {
  expect(() => columnsOf(importOrder)).toThrow(
    'importOrder of form_responses must list each of these fields once: answers, form, submitted_at',
  );
});
