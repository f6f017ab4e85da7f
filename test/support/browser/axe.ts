import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The violations of any impact that axe-core finds on the current page.
 *
 * @param rules the ids of the rules that are checked; by default, all.
 * @returns one line each: the rule, and the elements that violate it.
 */
export async function barriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, so that the page's content security policy remains in effect.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const runOnly = rules ? { runOnly: [...rules] } : {};
    return (await axe.run(document, { resultTypes: ['violations'], ...runOnly })).violations;
  }, rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
