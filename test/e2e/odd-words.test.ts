/**
 * Names and words that JavaScript's own objects know (`constructor`, `__proto__`), owners that own each other or stand sixty deep, and counts as
 * large as fit in 32 bits: each accepted by the API server, drawn or said, and nothing of the engine or page stops.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { playOddWords } from './look/odd-words.ts';
import { ask, type RealEngine, startEngine, startMs } from './real-engine.ts';

describe.skipIf(!available)('odd words', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('odd-words', ['--nodes', '1', '--speed', 'paused'])]);
    ({ page, problems } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    await playOddWords({
      call: async (method, path, body) => await ask(page, path, body, method),
    });
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const word = 'constructor';
  const places = [
    'timeline?kind=all',
    'timeline?kind=all&group=kind&table=true',
    'timeline?kind=all&group=namespace',
    'timeline?kind=all&group=trouble&filter=trouble',
    'timeline?kind=nodes&group=node',
    'problems',
    'cronjobs',
    'cronjobs?group=month',
    'cluster',
    'cluster?table=true',
    `cluster?object=nodes/${word}`,
    'objects?kind=pods.',
    'objects?kind=nodes.',
    ...[
      'namespaces/constructor',
      'nodes/constructor',
      `pods/${word}/${word}`,
      `configmaps/${word}/${word}`,
      `deployments.apps/${word}/${word}`,
    ].flatMap((object) => ['overview', 'why', 'events', 'yaml'].map((tab) => `objects?kind=pods.&object=${object}&tab=${tab}`)),
    `timeline?kind=all&object=pods/${word}/${word}&tab=decision`,
    'timeline?drawer=events',
    'timeline?before=0&after=4000000000000',
    'requests',
    'faults',
    'scenarios',
    'settings',
    'create',
  ];

  it(
    'are told in every place, as wide as the window, and nothing goes wrong in the page',
    async () => {
      for (const place of places) {
        await page.evaluate((hash) => void (location.hash = hash), `#/${place}`);
        await page.waitForTimeout(500);
        const told = await page.locator('body').innerText();
        expect.soft(told, place).not.toMatch(/NaN|undefined|\[object|function |\[native code\]|Infinity|cannot be (read|shown|drawn)/);
        expect.soft(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${place} is as wide as the window`).toBe(true);
        if (places.indexOf(place) % 6 === 0) expect.soft(await axeFaults(page), place).toEqual([]);
        expect.soft(problems.splice(0), place).toEqual([]);
      }
    },
    startMs,
  );

  it('names of objects sixty owners deep have room', async () => {
    await page.evaluate(() => void (location.hash = '#/timeline?kind=all&search=deep-'));
    const deepest = page.locator('.tl-label .ellipsis', { hasText: /^deep-\d+$/ });
    await deepest.nth(20).waitFor();
    await page.locator('.tl-scroll').evaluate((one) => void (one.scrollTop = 1e6));
    await deepest.filter({ hasText: 'deep-59' }).waitFor();
    const widths = await deepest.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
    expect(Math.max(...widths)).toBe(0);
  });
});
