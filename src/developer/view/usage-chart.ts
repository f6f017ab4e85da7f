import type { DailyUsage } from '../../domain/admin/api-key-usage.ts';
import { type Html, html } from '../../pages/html.ts';

const BAR = 7;
const GAP = 2;
const HEIGHT = 32;

const count = new Intl.NumberFormat('en');

/** The use of a key as bars, one a day, and today's in words. */
export function usageChart(days: DailyUsage['days']): Html {
  const most = Math.max(1, ...days.map(({ units }) => units));
  const today = days.at(-1)?.units ?? 0;
  const total = days.reduce((sum, { units }) => sum + units, 0);
  const label = `Use on the last ${days.length} days (UTC): ${count.format(total)} units, today ${count.format(today)}`;
  const width = days.length * (BAR + GAP) - GAP;
  return html`
        <div class="usage">
          <svg viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img" aria-label="${label}">${days.map(
            ({ day, units }, n) => bar(day, units, n, most, n === days.length - 1),
          )}</svg>
          <span><strong>${count.format(today)}</strong> <span class="muted">today</span></span>
        </div>`;
}

/** Days without use are lines on the ground, so that it is seen that they were counted. */
function bar(day: string, units: number, n: number, most: number, today: boolean): Html {
  const height = units === 0 ? 1 : Math.max(3, Math.round((units / most) * HEIGHT));
  const kind = units === 0 ? 'none' : today ? 'today' : 'used';
  return html`<rect class="${kind}" x="${n * (BAR + GAP)}" y="${HEIGHT - height}" width="${BAR}" height="${height}" rx="1"><title>${day}: ${count.format(units)}</title></rect>`;
}
