import { HOUR_MS } from '../domain/values/time-zone.ts';

/** The start of the demo organization, on a Monday. */
const START = Date.UTC(2026, 0, 5, 9);

/** Returns the time that is `hours` after the start of the demo organization: 5 January 2026, 9:00 UTC. */
export function hoursAfterStart(hours: number): Date {
  return new Date(START + hours * HOUR_MS);
}

/**
 * Returns the creation and update times of a record.
 *
 * @param hours when it was created, in hours after the start of the demo organization.
 */
export function recordTimes(hours: number, changedAfterHours = 0): { createdAt: Date; updatedAt: Date } {
  return { createdAt: hoursAfterStart(hours), updatedAt: hoursAfterStart(hours + changedAfterHours) };
}

/** Returns the date, `YYYY-MM-DD`, that is `days` after the first day; earlier dates have negative numbers. */
export function dayAfterStart(days: number): string {
  return new Date(START + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** Converts `YYYY-MM-DD` to the value of a `date` column. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
