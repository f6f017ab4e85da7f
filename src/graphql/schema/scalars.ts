import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description: 'A date and time in UTC: ISO 8601 with milliseconds, for example `2026-01-31T09:30:00.000Z`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
});

builder.scalarType('Date', {
  description: 'A calendar date, `YYYY-MM-DD`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  serialize: String,
});

builder.scalarType('LocalTime', {
  description:
    'A time of day without a time zone, on a 24-hour clock: `HH:mm`, `HH:mm:ss` or `HH:mm:ss.SSS`, for example `09:30`.',
  specifiedByURL: 'https://the-guild.dev/graphql/scalars/docs/scalars/local-time',
  serialize: String,
});

builder.scalarType('JSON', {
  description: 'A JSON value. The description of each field specifies its structure.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
});
