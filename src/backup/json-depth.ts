import { endOfString } from './lines.ts';

/**
 * The maximum nesting depth of JSON in a backup. The service stores JSON with far fewer levels; 100,000 levels crash
 * the embedded database.
 */
export const MAX_JSON_DEPTH = 1_000;

/**
 * Whether a row contains JSON that is nested deeper than {@link MAX_JSON_DEPTH}.
 *
 * @param row a JSON array of strings; the values of `jsonb` columns are strings that contain JSON.
 * @param columns the indexes of these columns.
 * @throws {SyntaxError} if the row is not valid JSON.
 */
export function hasDeeplyNestedJson(row: string, columns: readonly number[]): boolean {
  if (columns.length === 0) return false;
  const values = JSON.parse(row) as (string | null)[];
  return columns.some((column) => isTooDeep(values[column] ?? ''));
}

/** Counts brackets instead of parsing the JSON, because parsers may be recursive. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '[' || character === '{') {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === '"') at = (endOfString(json, at) || json.length) - 1;
  }
  return false;
}
