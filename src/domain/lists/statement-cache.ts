import type { Sql, Statement } from '../../store/sql.ts';

/** By source, by fields, by shape. */
const texts = new WeakMap<object, WeakMap<object, Map<string, string>>>();

/**
 * A statement under the text that the first one of its kind had: the same string is found again at once, an equal
 * one of a thousand letters only after reading it.
 *
 * @param source what the statement reads from, and `fields` what of it; each decides the text, and is in use as
 *   long as the text is.
 * @param shape whatever else decides the text.
 */
export function internStatement(source: object, fields: object, shape: string, statement: Sql): Statement {
  const ofSource = texts.get(source) ?? new WeakMap<object, Map<string, string>>();
  texts.set(source, ofSource);
  const ofFields = ofSource.get(fields) ?? new Map<string, string>();
  ofSource.set(fields, ofFields);
  const text = ofFields.get(shape) ?? statement.text;
  ofFields.set(shape, text);
  return { text, values: statement.values };
}
