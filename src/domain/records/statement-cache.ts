import type { Sql, Statement } from '../../store/sql.ts';

/** Statement texts by source, fields and shape. */
const texts = new WeakMap<object, WeakMap<object, Map<string, string>>>();

/**
 * Returns a statement whose text is interned, that is, always the same string object. Prepared statements are looked up
 * by their text (`statement-names.ts`), which is much faster with the same string object than with an equal one.
 *
 * @param source what the statement reads from. The cache is weak in `source` and `fields`.
 * @param fields the selected fields.
 * @param shape identifies the text among the statements with the same source and fields.
 */
export function internStatement(source: object, fields: object, shape: string, statement: Sql): Statement {
  const textsOfSource = texts.get(source) ?? new WeakMap<object, Map<string, string>>();
  texts.set(source, textsOfSource);
  const textsOfFields = textsOfSource.get(fields) ?? new Map<string, string>();
  textsOfSource.set(fields, textsOfFields);
  const text = textsOfFields.get(shape) ?? statement.text;
  textsOfFields.set(shape, text);
  return { text, values: statement.values };
}
