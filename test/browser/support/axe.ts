import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Layout depends on the width, and contrast on the color scheme; checking all combinations would find nothing more. */
const LOOKS = [
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 740 }, colorScheme: 'dark' },
] as const;

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

/**
 * The barriers of the current page on a wide screen with light colors and on a narrow one with dark colors, and whether
 * the page must be scrolled horizontally. The page keeps the last look.
 */
export async function barriersInEachLook(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    // Contrast cannot be checked while colors change.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const faults = [...(await barriers(page)), ...(excess > 0 ? [`${excess} pixels too wide`] : [])];
    found.push(...faults.map((fault) => `${colorScheme}, ${viewport.width} pixels: ${fault}`));
  }
  return found;
}
