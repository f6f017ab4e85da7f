import type { UsageInterval } from '../../domain/admin/api-key-usage.ts';
import { capitalize } from '../../domain/values/words.ts';
import { formatDay, formatHour } from '../../pages/dates.ts';
import { type Html, html } from '../../pages/html.ts';
import { formatCount } from '../page.ts';

type Usage = readonly UsageInterval[];

/** A period of the large chart: how many hours or days it has, and how many of them each bar has. */
interface Period {
  readonly label: string;
  readonly unit: 'hour' | 'day';
  readonly count: number;
  readonly perBar: number;
  /** What a bar is, and what the last one is. */
  readonly bar: string;
  readonly last: string;
}

/** The periods of the large chart, by their names in the query parameter `usage`. */
const PERIODS: ReadonlyMap<string, Period> = new Map([
  ['24-hours', { label: '24 hours', unit: 'hour', count: 24, perBar: 1, bar: 'hour', last: 'this hour' }],
  ['14-days', { label: '14 days', unit: 'day', count: 14, perBar: 1, bar: 'day', last: 'today' }],
  ['90-days', { label: '90 days', unit: 'day', count: 90, perBar: 1, bar: 'day', last: 'today' }],
  ['year', { label: 'a year', unit: 'day', count: 371, perBar: 7, bar: 'week', last: 'this week' }],
]);

const DEFAULT_PERIOD = '14-days';

/** The period with a name; the default for others. */
export function periodOf(name = DEFAULT_PERIOD): Period {
  return PERIODS.get(name) ?? (PERIODS.get(DEFAULT_PERIOD) as Period);
}

/** The number of days in the chart of a row. */
export const SMALL_CHART_DAYS = 30;

type Counts = Omit<UsageInterval, 'start'>;

/** The sums of all intervals. */
export function totalOf(usage: Usage): Counts {
  const total = { points: 0, requests: 0, failed: 0 };
  for (const one of usage) {
    total.points += one.points;
    total.requests += one.requests;
    total.failed += one.failed;
  }
  return total;
}

/** The size of a small chart in pixels: of each bar, the gap between bars, and the highest bar. */
const SMALL = { bar: 4, gap: 1, height: 24 };

/** The daily points of a key as a small bar chart on its own scale, with the total and the maximum. */
export function usageChart(days: Usage): Html {
  const { bar, gap, height } = SMALL;
  const maximum = Math.max(0, ...days.map(({ points }) => points));
  const total = formatCount(totalOf(days).points);
  // A list has many charts: a line for each bar is shorter than a rectangle.
  const lines = days.map(
    ({ points }, n) => `M${n * (bar + gap) + bar / 2} ${height}v-${barHeight(points, maximum, height)}`,
  );
  const label = `Points per day of the last ${days.length} days: ${total} in total, ${formatCount(days.at(-1)?.points ?? 0)} today`;
  const width = days.length * (bar + gap) - gap;
  return html`
        <div class="usage">
          <svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}"><path
            stroke-width="${bar}" d="${lines.slice(0, -1).join('')}"/><path class="now" stroke-width="${bar}" d="${lines.slice(-1)}"/></svg>
          <span><strong>${total}</strong> <span class="muted">max. ${formatCount(maximum)} a day</span></span>
        </div>`;
}

/** The size of the large chart in pixels; `bar` is the part of a bar and its gap that the bar fills. */
const LARGE = { width: 476, height: 96, bar: 0.8 };

/** The requests of a key in a period as a chart of stacked bars and as a table. @param path of the page of the key. */
export function usageFigure(usage: Usage, { label, perBar, bar, last }: Period, path: string, timeZone: string): Html {
  const bars = Array.from({ length: usage.length / perBar }, (_, n) => {
    const intervals = usage.slice(n * perBar, (n + 1) * perBar);
    return { start: intervals[0]?.start ?? '', ...totalOf(intervals) };
  });
  const startOf = ({ start }: UsageInterval) => (bar === 'hour' ? formatHour(start, timeZone) : formatDay(start));
  const { requests, failed } = totalOf(usage);
  const maximum = Math.max(0, ...bars.map((one) => one.requests));
  const [first] = bars;
  const summary = `Requests per ${bar}, ${label}: ${formatCount(requests)} in total, ${formatCount(failed)} of them refused or failed. The table below has the values.`;
  return html`
      <nav class="presets" aria-label="Period">${[...PERIODS].map(
        ([name, period]) =>
          html`<a class="button small" href="${path}?usage=${name}"${period.label === label && html` aria-current="true"`}>${period.label}</a>`,
      )}</nav>
      <div class="chart">
        <div class="scale" aria-hidden="true"><span>${formatCount(maximum)}</span>${maximum > 0 && html`<span>0</span>`}</div>
        ${largeChart(bars, maximum, summary)}
        <div class="days" aria-hidden="true"><span>${first && startOf(first)}</span><span>${capitalize(last)}</span></div>
        <p class="legend"><span class="answered">answered</span><span class="failed">refused or failed</span><span class="now">${last}, so far</span></p>
      </div>
      <details><summary>Values per ${bar}</summary>
        <div class="scroll" role="region" aria-label="Requests per ${bar}" tabindex="0"><table>
          <thead><tr><th scope="col">${bar === 'week' ? 'Week from' : capitalize(bar)}</th><th scope="col">Answered</th><th scope="col">Refused or failed</th><th scope="col">Points</th></tr></thead>
          <tbody>${bars.toReversed().map(
            (one) => html`
            <tr><th scope="row">${startOf(one)}</th><td>${formatCount(one.requests - one.failed)}</td><td>${formatCount(one.failed)}</td><td>${formatCount(one.points)}</td></tr>`,
          )}</tbody>
        </table></div>
      </details>
      ${bar !== 'hour' && first && html`<p class="muted">A day begins at ${formatHour(first.start, timeZone)} (${timeZone}).</p>`}`;
}

function largeChart(bars: Usage, maximum: number, label: string): Html {
  const { width, height } = LARGE;
  const step = width / bars.length;
  const [answered, failed] = [[] as string[], [] as string[]];
  for (const [n, one] of bars.entries()) {
    const x = ((n + 0.5) * step).toFixed(1);
    const [top, bottom] = [barHeight(one.requests, maximum, height), barHeight(one.failed, maximum, height)];
    const above = one.failed === 0 ? 0 : Math.min(bottom, top);
    if (top > above) answered.push(`M${x} ${height}v-${top - above}`);
    if (above > 0) failed.push(`M${x} ${height - top + above}v-${above}`);
  }
  const line = (kind: string, parts: readonly string[]) =>
    html`<path class="${kind}" stroke-width="${(step * LARGE.bar).toFixed(1)}" d="${parts.join('')}"/>`;
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
          <pattern id="so-far" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M1 0v4" stroke-width="2"/></pattern>
          ${line('answered', answered)}${line('failed', failed)}
          <rect x="${(width - step).toFixed(1)}" width="${step.toFixed(1)}" height="${height}" fill="url(#so-far)"/>
        </svg>`;
}

/** Intervals without usage are 1 px high, to show that they are included. */
function barHeight(count: number, maximum: number, maximumHeight: number): number {
  return count === 0 ? 1 : Math.max(3, Math.round((count / maximum) * maximumHeight));
}
