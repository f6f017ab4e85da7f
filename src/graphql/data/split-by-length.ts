/**
 * Splits the results for `lists.flat()` into lists with the same lengths as `lists`.
 *
 * @param items one result for each item of `lists`, in order.
 */
export function splitByLength<Item>(items: readonly Item[], lists: readonly (readonly unknown[])[]): Item[][] {
  let start = 0;
  return lists.map(({ length }) => {
    start += length;
    return items.slice(start - length, start);
  });
}
