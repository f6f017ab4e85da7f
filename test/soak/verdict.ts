/** A measurement at a time. */
export interface Point {
  readonly minutes: number;
  readonly value: number;
}

/** A growth rate by least squares. */
interface Slope {
  /** The growth per minute. */
  readonly perMinute: number;
  /** Half of the 95 % confidence interval of the slope. */
  readonly uncertainty: number;
}

/** The regression line of points. @throws for fewer than three. */
function slopeOf(points: readonly Point[]): Slope {
  if (points.length < 3) throw new Error(`a slope requires three measurements, not ${points.length}`);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ minutes }) => minutes)), mean(points.map(({ value }) => value))];
  const spread = points.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0);
  const perMinute = points.reduce((sum, { minutes, value }) => sum + (minutes - x) * (value - y), 0) / spread;
  const rest = points.reduce((sum, { minutes, value }) => sum + (value - y - perMinute * (minutes - x)) ** 2, 0);
  return { perMinute, uncertainty: 2 * Math.sqrt(rest / (points.length - 2) / spread) };
}

/** A requirement and whether it was met. */
export interface Finding {
  readonly what: string;
  readonly holds: boolean;
  readonly figures: string;
}

const MB = 2 ** 20;

/** Whether memory is stable: not if it certainly grows by more than the bound. */
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

/** Whether a measured count is within its bound. */
export function atMost(what: string, measured: number, bound: number): Finding {
  return { what, holds: measured <= bound, figures: `${measured}, at most ${bound}` };
}
