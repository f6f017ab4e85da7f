/** An event as `upcoming-events.graphql` selects it, with what else it has. */
interface Event {
  readonly dates: readonly { readonly date: string; readonly startTime: string | null }[];
}

/**
 * The events that have a day to come, each with the next one, the nearest first.
 *
 * @param today the day where the organization is, `YYYY-MM-DD`: an event of today is still to come.
 */
export function upcoming<E extends Event>(events: readonly E[], today: string): (E & { next: E['dates'][number] })[] {
  const earliestFirst = (one: Event['dates'][number], other: Event['dates'][number]) =>
    one.date.localeCompare(other.date) || (one.startTime ?? '').localeCompare(other.startTime ?? '');
  return events
    .flatMap((event) => {
      const [next] = event.dates.filter(({ date }) => date >= today).sort(earliestFirst);
      return next ? [{ ...event, next }] : [];
    })
    .sort((one, other) => earliestFirst(one.next, other.next));
}
