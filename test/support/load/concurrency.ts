/** Calls `work` for each item in order, with at most `limit` calls at a time. */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let count = 0;
  const worker = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value, count++);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
