/** Contrast, roles and names by axe in both themes; no sideways scroll at 1024 px. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from '../../renderer/testing/mock-server.ts';
import { available, launch } from './browser.ts';

const views = ['timeline', 'problems', 'cronjobs', 'cluster', 'objects', 'scenarios', 'faults', 'requests', 'settings'] as const;

describe.skipIf(!available)('access', () => {
  let browser: Browser;
  let mock: Mock;
  beforeAll(async () => {
    [browser, mock] = await Promise.all([launch(), startMock()]);
  });
  afterAll(async () => {
    await browser.close();
    await mock.close();
  });

  it.each(['light', 'dark'] as const)(
    '%s: every view passes axe and fits 1024 px',
    async (colorScheme) => {
      const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, colorScheme });
      const page = await context.newPage();
      const faults: string[] = [];
      for (const view of views) {
        await page.goto(`${mock.url}#/${view}?object=${view === 'cluster' ? 'nodes/pool-3' : 'deployments.apps/shop/checkout-0'}`);
        await page.locator('.inspector .summary').filter({ hasText: /./ }).waitFor();
        const { violations } = await new AxeBuilder({ page }).analyze();
        for (const { id, nodes } of violations)
          faults.push(
            `${view}: ${id} at ${nodes
              .map(({ target }) => target.join(' '))
              .slice(0, 3)
              .join(', ')}`,
          );
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth))
          faults.push(`${view}: scrolls sideways`);
      }
      await context.close();
      expect(faults).toEqual([]);
    },
    240_000,
  );
});
