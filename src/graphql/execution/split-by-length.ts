/**
 * Splits concatenated results into lists with the lengths of `lists`: the inverse of mapping `lists.flat()`.
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
