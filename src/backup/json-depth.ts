import { endOfString } from './lines.ts';

/** The maximum number of levels of JSON in a backup. The service stores far fewer, and some 10,000 crash the embedded database. */
export const MAX_JSON_LEVELS = 1_000;

/**
 * Whether a row contains JSON with more than {@link MAX_JSON_LEVELS} levels.
 *
 * @param row a JSON array of strings; the values of `jsonb` columns are strings with JSON.
 * @param columns the indexes of these columns.
 */
export function hasDeepJson(row: string, columns: readonly number[]): boolean {
  // Parse only rows that have enough brackets.
  if (columns.length === 0 || countOpeningBrackets(row) <= MAX_JSON_LEVELS) return false;
  const values = parseRow(row);
  return columns.some((column) => levelsOf(values[column] ?? '') > MAX_JSON_LEVELS);
}

function countOpeningBrackets(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/[[{]/g)) count += 1;
  return count;
}

/** The values of a row; empty if it is not valid JSON, which PostgreSQL rejects. */
function parseRow(row: string): readonly (string | null)[] {
  try {
    return JSON.parse(row) as (string | null)[];
  } catch {
    return [];
  }
}

/** The number of levels of JSON, which is not parsed: a parser may be recursive. */
function levelsOf(json: string): number {
  let [level, deepest] = [0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++level);
    else if (character === ']' || character === '}') level -= 1;
    else if (character === '"') at = (endOfString(json, at) || json.length) - 1;
  }
  return deepest;
}
