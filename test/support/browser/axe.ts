import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The violations of any impact that axe-core finds on the current page.
 *
 * @returns one line each: the rule, and the elements that violate it.
 */
export async function barriers(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so that the page's content security policy remains in effect.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run(document, { resultTypes: ['violations'] })).violations;
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
