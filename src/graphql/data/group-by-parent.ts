/**
 * What was found for the members of several lists at once, dealt out to the lists again.
 *
 * @param found as many as the lists have members together, in their order.
 */
export function dealt<Found>(found: readonly Found[], lists: readonly (readonly unknown[])[]): Found[][] {
  let start = 0;
  return lists.map(({ length }) => {
    start += length;
    return found.slice(start - length, start);
  });
}
