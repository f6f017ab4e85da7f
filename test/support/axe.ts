import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe-core finds on the page as it stands that keeps people out: violations of serious or critical impact.
 *
 * @param except rules that are not held against some elements, by a selector of these.
 * @returns one line each: the rule, and the elements that break it.
 */
export async function barriers(page: Page, except: Readonly<Record<string, string>> = {}): Promise<string[]> {
  // Evaluated by the debugger, so that a page's content security policy stays as it is.
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (except) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document, { elementRef: true });
    return violations.map(({ id, impact, nodes }) => {
      const accepted = except[id];
      const counted = accepted === undefined ? nodes : nodes.filter(({ element }) => !element?.matches(accepted));
      return { id, impact, nodes: counted.map(({ target }) => ({ target })) };
    });
  }, except);
  return violations
    .filter(({ impact, nodes }) => nodes.length > 0 && (impact === 'serious' || impact === 'critical'))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
