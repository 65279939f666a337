/** The view of all objects, and the inspector beside it, on more than is shown at once: a search through all of it, lines with their numbers, tabs that stay. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
/** The view shows a hundred at first. */
const many = 240;

describe.skipIf(!available)('objects', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  const asked: string[] = [];
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('objects-test', ['--nodes', '2', '--speed', 'paused'])]);
    ({ page, problems } = await openPage(browser, engine.link()));
    page.on('request', (request) => asked.push(request.url()));
    await page.locator('.status-dot').waitFor();
    await page.evaluate(async (count) => {
      const make = (index: number) =>
        fetch('/api/v1/namespaces/default/configmaps', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ metadata: { name: `map-${String(index).padStart(3, '0')}` } }),
        });
      for (let from = 0; from < count; from += 20) await Promise.all(Array.from({ length: 20 }, (_, index) => make(from + index)));
    }, many);
    for (const [name, replicas] of [
      ['one', 2],
      ['two', 3],
    ] as const)
      await ask(page, deployments, deployment(name, replicas));
    await advance(page, '30s');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
    expect(problems).toEqual([]);
  });

  const go = async (place: string): Promise<void> => await page.evaluate((hash) => void (location.hash = hash), place);
  const rows = () => page.locator('.objects tbody tr');

  it('a search finds what is below the rows that are shown, and clearing it shows the first again', async () => {
    await go('#/objects?kind=configmaps');
    await rows().filter({ hasText: 'map-000' }).waitFor();
    expect(await rows().filter({ hasText: 'map-239' }).count()).toBe(0);
    const search = page.getByRole('searchbox', { name: 'Filter objects' });
    await search.fill('p-23');
    await rows().filter({ hasText: 'map-239' }).waitFor();
    await expect.poll(() => rows().count()).toBe(10);
    await search.fill('no-such');
    await page.getByText('No ConfigMap is called “no-such”').waitFor();
    await search.fill('');
    await rows().filter({ hasText: 'map-000' }).waitFor();
  });

  it(
    'each kind is shown, also where there is nothing of it, and by arrows from one to the next',
    async () => {
      await go('#/objects?kind=pods.');
      const kinds = page.getByRole('group', { name: 'Kinds' }).getByRole('button');
      await kinds.first().waitFor();
      const count = await kinds.count();
      expect(count).toBeGreaterThan(60);
      await kinds.first().focus();
      for (let at = 0; at < count; at++) {
        await page.keyboard.press('Enter');
        await expect.poll(() => kinds.nth(at).getAttribute('aria-pressed')).toBe('true');
        const name = (await kinds.nth(at).textContent()) ?? '';
        const shown = page.locator('.objects').locator('tbody tr, .empty').first();
        await shown.waitFor({ timeout: 5_000 }).catch(() => expect.soft(name, 'is shown').toBe(''));
        expect.soft(await page.locator('main.view [role="alert"]').count(), name).toBe(0);
        expect.soft(await page.evaluate(() => document.activeElement?.textContent), 'has the keys').toBe(name);
        await page.keyboard.press('ArrowDown');
      }
    },
    startMs,
  );

  it('kubectl’s line of several has the number of each until one is typed', async () => {
    await go('#/objects?kind=deployments.apps');
    await page.getByRole('checkbox', { name: 'Choose default/one' }).check();
    await page.getByRole('button', { name: 'Scale', exact: true }).click();
    const form = page.getByRole('form', { name: 'Scale' });
    await form.getByText('kubectl scale deployment.apps/one -n default --replicas=2').waitFor();
    await expect.poll(() => form.getByLabel('Replicas').inputValue()).toBe('2');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('checkbox', { name: 'Choose default/two' }).check();
    await page.getByRole('button', { name: 'Scale', exact: true }).click();
    await form.getByText('--replicas=3').waitFor();
    await expect.poll(() => form.locator('pre').textContent()).toMatch(/one .*--replicas=2\n.*two .*--replicas=3$/);
    await form.getByLabel('Replicas').fill('5');
    await expect.poll(() => form.locator('pre').textContent()).toMatch(/one .*--replicas=5\n.*two .*--replicas=5$/);
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  it('the box and the sign of a pod stand level with its words, in rows of whole pixels', async () => {
    await go('#/objects?kind=pods.');
    const sign = page.locator('.table-wrap tbody tr .badge svg').first();
    await sign.waitFor();
    const row = await sign.evaluate((svg) => {
      const middle = ({ top, bottom }: DOMRect): number => (top + bottom) / 2;
      const words = document.createRange();
      words.selectNodeContents(svg.parentElement?.lastChild as Node);
      const line = svg.closest('tr') as HTMLElement;
      const box = line.querySelector('input') as HTMLElement;
      const text = middle(words.getBoundingClientRect());
      return { height: line.getBoundingClientRect().height, signs: [svg, box].map((one) => middle(one.getBoundingClientRect()) - text) };
    });
    expect(row.height).toBe(28);
    // Letters have room below them for those that reach down: their middle is a little above that of their line.
    for (const below of row.signs) expect(Math.abs(below + 0.5)).toBeLessThanOrEqual(0.5);
  });

  it('the tabs of the inspector stand where they stood when what is told of the object arrives', async () => {
    await go('#/objects?kind=deployments.apps');
    await page.evaluate(() => {
      const tops = new Set<number>();
      Object.assign(window, { tops });
      new MutationObserver(() => {
        const tab = document.getElementById('tab-yaml');
        if (tab) tops.add(tab.getBoundingClientRect().top);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    await page.getByRole('button', { name: 'two', exact: true }).click();
    await page.locator('.inspector .acts').waitFor();
    await page.getByText('3 of 3 replicas are ready.').waitFor();
    expect(await page.evaluate(() => (window as unknown as { tops: Set<number> }).tops.size)).toBe(1);
  });

  it('a view that was left a moment ago is there again without being asked for, while nothing has happened', async () => {
    await advance(page, '1s');
    asked.length = 0;
    const timelines = (): readonly string[] => asked.filter((url) => url.includes('/timelines/main?') && !url.includes('owner='));
    for (let turn = 0; turn < 3; turn++) {
      const answered = turn === 0 ? page.waitForResponse((response) => response.url().includes('/timelines/main?')) : undefined;
      await page.getByRole('link', { name: 'Timeline' }).first().click();
      await answered;
      await page.locator('.tl-label button').first().waitFor();
      await page.getByRole('link', { name: 'Problems' }).first().click();
      await page.getByRole('heading', { name: 'Problems' }).waitFor();
    }
    expect(new Set(timelines()).size).toBe(timelines().length);
  });

  it('steps of the address ask for no picture', async () => {
    asked.length = 0;
    for (const view of ['Problems', 'Cluster', 'Timeline', 'Objects']) await page.getByRole('link', { name: view }).first().click();
    await page.locator('.view h1').first().waitFor();
    expect(asked.filter((url) => url.includes('icon'))).toEqual([]);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/png;base64,/);
  });
});
