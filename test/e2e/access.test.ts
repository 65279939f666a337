/** Contrast, roles and names by axe in both themes; no sideways scroll at 1024 px. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from '../../renderer/testing/mock-server.ts';
import { texts } from '../../renderer/texts/texts.ts';
import { axeFaults } from './axe.ts';
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
        await page.locator('.view h1', { hasText: texts.frame.views[view] }).waitFor();
        await expect.poll(() => page.locator('.view .skeleton').count()).toBe(0);
        faults.push(...(await axeFaults(page)).map((fault) => `${view}: ${fault}`));
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth))
          faults.push(`${view}: scrolls sideways`);
      }
      await context.close();
      expect(faults).toEqual([]);
    },
    240_000,
  );
});
