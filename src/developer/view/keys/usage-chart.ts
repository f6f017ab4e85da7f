import type { DailyUsage } from '../../../domain/admin/api-key-usage.ts';
import { formatDay } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';

type Days = DailyUsage['days'];

/** The number of days in a chart. */
export const CHART_DAYS = 14;

/** The number of days in the chart of a row. */
export const SMALL_CHART_DAYS = 30;

/** The size of a chart in pixels: of each bar, the gap between bars, and the highest bar. */
const SMALL = { bar: 4, gap: 1, height: 24 };
const LARGE = { bar: 26, gap: 6, height: 96 };

const countFormat = new Intl.NumberFormat('en');

/** `1,240` */
export function formatCount(count: number): string {
  return countFormat.format(count);
}

/** `1 point`, `1,240 points` */
export function formatPoints(points: number): string {
  return `${formatCount(points)} ${points === 1 ? 'point' : 'points'}`;
}

/** The maximum number of points on any of the days, which is the scale of charts. */
function maximumOf(days: Days): number {
  return Math.max(0, ...days.map(({ points }) => points));
}

/** The points of all days. */
export function totalOf(days: Days): number {
  return days.reduce((sum, { points }) => sum + points, 0);
}

/** The points of the last day. */
export function todayOf(days: Days): number {
  return days.at(-1)?.points ?? 0;
}

/** The daily usage of a key as a small bar chart on its own scale, with the total and the maximum. */
export function usageChart(days: Days): Html {
  const { bar, gap, height } = SMALL;
  const maximum = maximumOf(days);
  // A list has many charts: a line for each bar is shorter than a rectangle.
  const lines = days.map(
    ({ points }, n) => `M${n * (bar + gap) + bar / 2} ${height}v-${barHeight(points, maximum, height)}`,
  );
  return html`
        <div class="usage">
          ${svg(days, SMALL, html`<path stroke-width="${bar}" d="${lines.slice(0, -1).join('')}"/><path class="today" stroke-width="${bar}" d="${lines.slice(-1)}"/>`)}
          <span><strong>${formatCount(totalOf(days))}</strong> <span class="muted">max. ${formatCount(maximum)} a day</span></span>
        </div>`;
}

/** The daily usage of a key as a large bar chart with axes. */
export function usageFigure(days: Days): Html {
  const { bar, gap, height: maximumHeight } = LARGE;
  const maximum = maximumOf(days);
  const [first] = days;
  const bars = days.map(({ day, points }, n) => {
    const height = barHeight(points, maximum, maximumHeight);
    const isToday = n === days.length - 1;
    return html`<rect class="${points > 0 && (isToday ? 'today' : 'used')}" x="${n * (bar + gap)}" y="${maximumHeight - height}"
          width="${bar}" height="${height}" rx="1"><title>${day}: ${formatPoints(points)}</title></rect>`;
  });
  return html`
      <div class="chart">
        <div class="scale" aria-hidden="true"><span>${formatCount(maximum)}</span>${maximum > 0 && html`<span>0</span>`}</div>
        ${svg(days, LARGE, html`${bars}`)}
        <div class="days" aria-hidden="true"><span>${first && formatDay(first.day)}</span><span>Today</span></div>
      </div>`;
}

/** Days without usage are 1 px high, to show that they are included. */
function barHeight(points: number, maximum: number, maximumHeight: number): number {
  return points === 0 ? 1 : Math.max(3, Math.round((points / maximum) * maximumHeight));
}

function svg(days: Days, { bar, gap, height }: typeof SMALL, bars: Html): Html {
  const label = `Points per day of the last ${days.length} days (UTC): ${formatCount(totalOf(days))} in total, ${formatCount(todayOf(days))} today`;
  const width = days.length * (bar + gap) - gap;
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">${bars}</svg>`;
}
