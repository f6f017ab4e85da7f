/** The first and the last day of a month such as `2026-02`. */
export function daysOf(month) {
  const [year, number] = month.split('-').map(Number);
  return { from: `${month}-01`, until: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}

/** The first and the last day of next month in a time zone. */
export function nextMonth(timeZone, now = new Date()) {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now); // 2026-01-31
  const [year, month] = today.split('-').map(Number);
  return daysOf(new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7));
}

/** The dates of a recurring service from one day to another, inclusive. */
export function datesOf({ startDate, endDate, frequency, days }, from, until) {
  const dates = [];
  const last = endDate && endDate < until ? endDate : until;
  for (const day = new Date(startDate > from ? startDate : from); ; day.setUTCDate(day.getUTCDate() + 1)) {
    const date = day.toISOString().slice(0, 10);
    if (date > last) return dates;
    const weekday = day.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
    // Monthly: the first of these weekdays in the month.
    if (days.includes(weekday) && (frequency !== 'monthly' || day.getUTCDate() <= 7)) dates.push(date);
  }
}

/** One entry for each date of the events and services in the result of the recipe `calendar`, in order of time. */
export function entriesOf({ events, services }, from, until) {
  const oneTime = services.nodes.filter(({ date }) => date);
  const isReplaced = ({ recurringId }, date) =>
    recurringId && oneTime.some((service) => service.recurringId === recurringId && service.date === date);
  const entries = [
    ...events.nodes.flatMap(({ id, title, dates }) => dates.map((times) => ({ id, title, ...times }))),
    ...oneTime,
    ...services.nodes
      .filter(({ date }) => !date)
      .flatMap((service) => datesOf(service, from, until).map((date) => ({ ...service, date })))
      .filter((service) => !isReplaced(service, service.date)),
  ];
  return entries
    .filter(({ date }) => date >= from && date <= until)
    .map(({ id, title, date, startTime }) => ({ id, title, date, startTime }))
    .sort((one, other) => `${one.date} ${one.startTime}`.localeCompare(`${other.date} ${other.startTime}`));
}
