import { endOfString } from './lines.ts';

/**
 * The maximum nesting depth of JSON in a backup. The service stores JSON with far fewer levels; 100,000 levels crash
 * the embedded database.
 */
const MAX_JSON_DEPTH = 1_000;

/**
 * Why the JSON of a row cannot be loaded, if it cannot.
 *
 * @param row a JSON array of strings; the values of `jsonb` columns are strings that contain JSON.
 * @param columns the indexes of these columns.
 */
export function problemOfJson(row: string, columns: readonly number[]): string | undefined {
  if (columns.length === 0) return undefined;
  try {
    const values = JSON.parse(row) as (string | null)[];
    const isInvalid = columns.some((column) => isTooDeep(values[column] ?? ''));
    return isInvalid ? `has JSON that is nested deeper than ${MAX_JSON_DEPTH} levels` : undefined;
  } catch {
    return 'is not valid JSON';
  }
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
    else if (character === '"') {
      const end = endOfString(json, at) ?? json.length;
      at = end - 1;
    }
  }
  return false;
}
