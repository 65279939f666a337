/** What axe finds in a page that has come to rest. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** By rule, with the first places where it is broken; `within` names what is looked at, where that is not all of the page. */
export async function axeFaults(page: Page, ...within: readonly string[]): Promise<readonly string[]> {
  await coloursAreThere(page);
  const builder = within.reduce((axe, selector) => axe.include(selector), new AxeBuilder({ page }));
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => {
    const places = nodes.slice(0, 3).map(({ target }) => target.join(' '));
    return `${id} at ${places.join(', ')}`;
  });
}

/**
 * Buttons change their colour in some tenths of a second: what is on the way is the colour of neither state, and nobody reads it. They set out in the frame after
 * the one in which the page hears of another theme.
 */
async function coloursAreThere(page: Page): Promise<void> {
  const onTheWay = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.getAnimations().filter((one) => one instanceof CSSTransition).length;
    });
  await expect.poll(onTheWay).toBe(0);
}
