import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe-core finds on the page as it stands that keeps people out: violations of serious or critical impact.
 *
 * @param impact `any` for all violations.
 * @returns one line each: the rule, and the elements that break it.
 */
export async function barriers(page: Page, impact: 'serious' | 'any' = 'serious'): Promise<string[]> {
  // Evaluated by the debugger, so that a page's content security policy stays as it is.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run(document, { resultTypes: ['violations'] })).violations;
  });
  return violations
    .filter((violation) => impact === 'any' || violation.impact === 'serious' || violation.impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
