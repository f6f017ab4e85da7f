import type { DailyUsage } from '../../../domain/admin/api-key-usage.ts';
import { type Html, html } from '../../../pages/html.ts';

const BAR = 7;
const GAP = 2;
const HEIGHT = 32;

const count = new Intl.NumberFormat('en');

/** `1,240` */
export function formatCount(points: number): string {
  return count.format(points);
}

/** The most points of a day, for charts of the same scale. */
export function maximumOf(usage: readonly Pick<DailyUsage, 'days'>[]): number {
  return Math.max(0, ...usage.flatMap(({ days }) => days.map(({ units }) => units)));
}

/** The daily usage of a key as a bar chart, and today's as a number. @param maximum the points of the highest bar. */
export function usageChart(days: DailyUsage['days'], maximum: number): Html {
  const today = days.at(-1)?.units ?? 0;
  const total = days.reduce((sum, { units }) => sum + units, 0);
  const label = `Points per day of the last ${days.length} days (UTC): ${formatCount(total)} in total, ${formatCount(today)} today`;
  const width = days.length * (BAR + GAP) - GAP;
  return html`
        <div class="usage">
          <svg viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img" aria-label="${label}">${days.map(
            ({ day, units }, n) => bar(day, units, n, maximum, n === days.length - 1),
          )}</svg>
          <span><strong>${formatCount(today)}</strong> <span class="muted">${today === 1 ? 'point' : 'points'} today</span></span>
        </div>`;
}

/** A bar; days without usage are 1 px high, to show that they are included. */
function bar(day: string, units: number, n: number, maximum: number, today: boolean): Html {
  const height = units === 0 ? 1 : Math.max(3, Math.round((units / maximum) * HEIGHT));
  const kind = units === 0 ? 'none' : today ? 'today' : 'used';
  return html`<rect class="${kind}" x="${n * (BAR + GAP)}" y="${HEIGHT - height}" width="${BAR}" height="${height}" rx="1"><title>${day}: ${formatCount(units)} ${units === 1 ? 'point' : 'points'}</title></rect>`;
}
