import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The violations that axe-core finds on the page as it is, of any impact.
 *
 * @returns one line each: the rule, and the elements that violate it.
 */
export async function barriers(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so that a page's content security policy stays as it is.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run(document, { resultTypes: ['violations'] })).violations;
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
