import { GraphQLError, getLocation, parse, Source, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { DocumentSource, locationsOf, parseWithinLimits } from '../../../src/graphql/document/parse.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { STRESSORS } from '../../attacks/stressors.ts';
import { times } from '../../support/data.ts';
import { INVALID } from '../../support/documents/hostile-documents.ts';

/** The errors of a document with their locations, as reported by graphql-js and as returned in responses. */
function errorsOf(parseDocument: () => ReturnType<typeof parse>, locate: (error: GraphQLError) => unknown) {
  const located = (error: GraphQLError) => ({ message: error.message, locations: locate(error) });
  try {
    return validate(schema, parseDocument(), undefined, { maxErrors: 20 }).map(located);
  } catch (error) {
    if (error instanceof GraphQLError) return [located(error)];
    throw error;
  }
}

const LINE_BREAKS = '\n\r\r\n \r\n\r';

describe('locations in a document', () => {
  it('equal those of graphql-js at each offset outside of a line break', () => {
    const text = `{${LINE_BREAKS}a${LINE_BREAKS}}\u2028\n b`;
    const source = new DocumentSource(text);
    const offsets = times(text.length + 1, (n) => n).filter((n) => text.slice(n - 1, n + 1) !== '\r\n');
    const expected = offsets.map((offset) => getLocation(new Source(text), offset));
    source.dropBody();
    expect(offsets.map((offset) => source.locate(offset))).toEqual(expected);
  });

  it.each([
    ...Object.entries({ ...STRESSORS, ...INVALID }).filter(([, { length }]) => length < 20_000),
    ['a syntax error', `${LINE_BREAKS}{ "`],
    [
      'conflicts of many fields',
      `${LINE_BREAKS}{ viewer { keyName }${LINE_BREAKS} viewer: members { edges { cursor } } }`,
    ],
  ])('equal those of graphql-js: %s', (_name, text) => {
    let document: ReturnType<typeof parse>;
    try {
      document = parseWithinLimits(text);
    } catch (error) {
      // query_too_complex errors have no locations.
      if (!(error instanceof GraphQLError)) return;
    }
    const ours = errorsOf(() => document ?? parseWithinLimits(text), locationsOf);
    expect(ours).toEqual(
      errorsOf(
        () => parse(text),
        ({ locations }) => locations,
      ),
    );
  });
});
