/** What separates the items of a list in a CSV cell. */
export const LIST_SEPARATOR = /[,;|\r\n]/;

/** The maximum number of separators in a name. It bounds the number of names that are looked up for a cell. */
const MAX_SEPARATORS_IN_NAME = 3;

/** The texts in a list cell that can be names of records: its items, and sequences of items with their separators. */
export function namesIn(cell: string): string[] {
  const items = itemsOf(cell);
  return items.flatMap((item, first) =>
    items.slice(first, first + MAX_SEPARATORS_IN_NAME + 1).map((last) => textBetween(cell, item, last)),
  );
}

/** Splits a list cell at its separators, except at those within a name that a record has: the longest name is used. */
export function splitByNames(cell: string, isKnown: (name: string) => boolean): string[] {
  const items = itemsOf(cell);
  const names: string[] = [];
  for (let first = 0; first < items.length; ) {
    const item = items[first] as Item;
    const candidates = items.slice(first, first + MAX_SEPARATORS_IN_NAME + 1);
    const last = candidates.findLastIndex((end) => isKnown(textBetween(cell, item, end)));
    names.push(textBetween(cell, item, candidates[last] ?? item));
    first += Math.max(last, 0) + 1;
  }
  return names;
}

/** An item of a cell that is not blank. */
interface Item {
  readonly start: number;
  readonly end: number;
}

function itemsOf(cell: string): Item[] {
  const items: Item[] = [];
  let start = 0;
  for (const part of cell.split(LIST_SEPARATOR)) {
    if (part.trim() !== '') items.push({ start, end: start + part.length });
    start += part.length + 1;
  }
  return items;
}

function textBetween(cell: string, first: Item, last: Item): string {
  return cell.slice(first.start, last.end).trim();
}
