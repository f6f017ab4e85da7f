/** The first day of the demo organization: 5 January 2026, a Monday. */
const ANCHOR = Date.UTC(2026, 0, 5, 9);
const HOUR = 3_600_000;

/** The time some hours after the demo organization's first day. */
export function hoursAfterStart(hours: number): Date {
  return new Date(ANCHOR + hours * HOUR);
}

/** The creation and update times of a record. */
export function recordTimes(hours: number, changedAfterHours = 0): { createdAt: Date; updatedAt: Date } {
  return { createdAt: hoursAfterStart(hours), updatedAt: hoursAfterStart(hours + changedAfterHours) };
}

/** The date, `YYYY-MM-DD`, some days after the first one; negative for earlier ones. */
export function dayAfterStart(days: number): string {
  return new Date(ANCHOR + days * 24 * HOUR).toISOString().slice(0, 10);
}

/** The value of a `date` column. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
