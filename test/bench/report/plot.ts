const LEFT = 250;
const WIDTH = 460;
const BAR = 13;
const GAP = 18;
const COLORS = ['#9aa5a1', '#0b6e5f', '#37a58f', '#c2762c', '#b94a48', '#7b5ea7', '#3d6fb4', '#88662e', '#555'];

/** Plots ratios as bars. @param rows a header, then a workload each with its ratios; `–` omits a bar. */
export function plot([head = [], ...works]: readonly (readonly string[])[]): string {
  const titles = head.slice(1);
  const most = Math.max(1, ...works.flatMap(([, ...cells]) => cells.map(Number).filter(Number.isFinite)));
  const lines: string[] = [];
  let y = 20 + Math.ceil(titles.length / 3) * 18;
  const bottomOf = () => y - GAP + 4;
  const top = y - 6;
  for (const [title = '', ...cells] of works) {
    const bars = cells.flatMap((cell, index) => (cell === '–' ? [] : [{ index, ratio: Number(cell) }]));
    lines.push(text(LEFT - 12, y + (bars.length * BAR) / 2 + 4, title, 'end'));
    for (const { index, ratio } of bars) {
      const width = (WIDTH * ratio) / most;
      lines.push(`<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 2}" fill="${color(index)}"/>`);
      lines.push(text(LEFT + width + 5, y + BAR - 4, ratio.toFixed(2), 'start', 10));
      y += BAR;
    }
    y += GAP;
  }
  const one = LEFT + WIDTH / most;
  const legend = titles.map((title, index) => {
    const [x, line] = [20 + (index % 3) * 250, 14 + Math.floor(index / 3) * 18];
    return `<rect x="${x}" y="${line - 9}" width="10" height="10" fill="${color(index)}"/>${text(x + 16, line, title)}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="780" height="${y}" viewBox="0 0 780 ${y}" role="img" aria-label="Requests per second, relative to raw SQL" font-family="system-ui, sans-serif">`,
    `<rect width="780" height="${y}" fill="#fff"/>`,
    ...legend,
    `<line x1="${one}" x2="${one}" y1="${top}" y2="${bottomOf()}" stroke="#9aa5a1" stroke-dasharray="3 3"/>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
}

function color(index: number): string {
  return COLORS[index % COLORS.length] as string;
}

function text(x: number, y: number, content: string, anchor = 'start', size = 12): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" fill="#1b2220" text-anchor="${anchor}">${escaped}</text>`;
}
