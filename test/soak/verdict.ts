/** A measurement at a moment. */
export interface Point {
  readonly minutes: number;
  readonly value: number;
}

/** How fast something grows, by least squares. */
export interface Slope {
  /** What it gains in a minute. */
  readonly perMinute: number;
  /** Half of the interval in which the true slope lies in 95 of 100 cases. */
  readonly uncertainty: number;
}

/** The straight line through points. @throws when there are fewer than three. */
export function slopeOf(points: readonly Point[]): Slope {
  if (points.length < 3) throw new Error(`a slope needs three measurements, there are ${points.length}`);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ minutes }) => minutes)), mean(points.map(({ value }) => value))];
  const spread = points.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0);
  const perMinute = points.reduce((sum, { minutes, value }) => sum + (minutes - x) * (value - y), 0) / spread;
  const rest = points.reduce((sum, { minutes, value }) => sum + (value - y - perMinute * (minutes - x)) ** 2, 0);
  return { perMinute, uncertainty: 2 * Math.sqrt(rest / (points.length - 2) / spread) };
}

/** One thing that had to hold, and whether it did. */
export interface Finding {
  readonly what: string;
  readonly holds: boolean;
  readonly figures: string;
}

const MB = 2 ** 20;

/** Whether bytes stay where they are: they do unless they certainly grow by more than the bound. */
export function flat(what: string, points: readonly Point[], boundPerMinute: number): Finding {
  const { perMinute, uncertainty } = slopeOf(points);
  const inMb = (bytes: number) => (bytes / MB).toFixed(2);
  return {
    what,
    holds: perMinute - uncertainty <= boundPerMinute,
    figures:
      `${inMb(perMinute)} ± ${inMb(uncertainty)} MB a minute over ${points.length} samples, ` +
      `at most ${inMb(boundPerMinute)}`,
  };
}

/** Whether a count that was measured is within its bound. */
export function atMost(what: string, measured: number, bound: number): Finding {
  return { what, holds: measured <= bound, figures: `${measured}, at most ${bound}` };
}
