import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description: 'A moment: ISO 8601 in UTC with milliseconds, for example `2026-01-31T09:30:00.000Z`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
});

builder.scalarType('Date', {
  description: 'A day of the calendar, `YYYY-MM-DD`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  serialize: String,
});

builder.scalarType('JSON', {
  description: 'A JSON value; its shape is told where the field is described.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
});
