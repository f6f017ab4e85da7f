import { describeSettings } from '../src/settings.ts';

const TABLE = /^\| variable \| default \| meaning \|\n\|---\|---\|---\|\n(?:\|.*\n)+/m;

/** Returns the page of operations with the current table of settings. @throws if it has none. */
export function withSettingsTable(page: string): string {
  const rows = describeSettings().map(
    ({ name, default: value, description }) => `| \`${name}\` | ${value ? `\`${value}\`` : '–'} | ${description} |`,
  );
  if (!TABLE.test(page)) throw new Error('the page has no table of settings');
  return page.replace(TABLE, () => ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n'));
}
