/** The first and the last day of next month in a time zone. */
export function nextMonth(timeZone, now = new Date()) {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now); // 2026-01-31
  const [year, month] = today.split('-').map(Number);
  const day = (date) => date.toISOString().slice(0, 10);
  return { from: day(new Date(Date.UTC(year, month, 1))), until: day(new Date(Date.UTC(year, month + 1, 0))) };
}

/** The dates of a weekly service from one date to another, inclusive. */
export function datesOf({ start_date, end_date, days }, from, until) {
  const dates = [];
  const last = end_date && end_date < until ? end_date : until;
  for (const day = new Date(start_date > from ? start_date : from); ; day.setUTCDate(day.getUTCDate() + 1)) {
    const date = day.toISOString().slice(0, 10);
    if (date > last) return dates;
    if (days.includes(day.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }))) dates.push(date);
  }
}
