/**
 * Splits a concatenation of lists into lists again.
 *
 * @param items as many as `lists` have items together, in their order.
 */
export function splitByLength<Item>(items: readonly Item[], lists: readonly (readonly unknown[])[]): Item[][] {
  let start = 0;
  return lists.map(({ length }) => {
    start += length;
    return items.slice(start - length, start);
  });
}
