/** The first day of the demo organization: 5 January 2026, a Monday. */
const ANCHOR = Date.UTC(2026, 0, 5, 9);
const HOUR = 3_600_000;

/** A moment some hours after the demo organization began. */
export function hoursIn(hours: number): Date {
  return new Date(ANCHOR + hours * HOUR);
}

/** When a record entered and when it last changed, as two columns of it. */
export function entered(hours: number, changedAfterHours = 0): { createdAt: Date; updatedAt: Date } {
  return { createdAt: hoursIn(hours), updatedAt: hoursIn(hours + changedAfterHours) };
}

/** A day of the calendar, `YYYY-MM-DD`, some days after the first one; negative ones are before it. */
export function dayIn(days: number): string {
  return new Date(ANCHOR + days * 24 * HOUR).toISOString().slice(0, 10);
}

/** A `date` column's value for `YYYY-MM-DD`. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
