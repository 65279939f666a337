/** 1,000 nodes and 10,000 pods: nothing in the page grows with what is not visible. Frame times are printed, not asserted. With 5,000 all can be reached and read. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from '../../renderer/testing/mock-server.ts';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';

const elementsMax = 1500;

describe.skipIf(!available)('10,000 pods', () => {
  let browser: Browser;
  let mock: Mock;
  beforeAll(async () => {
    [browser, mock] = await Promise.all([launch(), startMock({ nodes: 1000, pods: 10_000 })]);
  });
  afterAll(async () => {
    await browser.close();
    await mock.close();
  });

  it('the cluster and the timeline stay small and move while the clock runs', async () => {
    const { page, problems } = await openPage(browser, `${mock.url}#/settings`, { width: 1440, height: 900 });
    await page.getByText('--seed').waitFor();
    const arriving = await frames(page, async () => {
      await page.keyboard.press('4');
      await page.getByText('10 000 pods', { exact: true }).waitFor();
    });
    expect(await page.locator('*').count()).toBeLessThan(elementsMax);
    await page.getByRole('radio', { name: '60×', exact: true }).click();
    await page.keyboard.press('1');
    await page.locator('.tl-label button').first().waitFor();
    await page.mouse.move(700, 400);
    const moving = await frames(page, async () => {
      for (let i = 0; i < 40; i++) await page.mouse.wheel(0, i % 2 === 0 ? 90 : -110);
      await page.keyboard.down('Shift');
      for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 900);
      await page.keyboard.up('Shift');
    });
    expect(await page.locator('*').count()).toBeLessThan(elementsMax);
    console.log(JSON.stringify({ bench: 'renderer-frames', arriving, moving }));
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!available)('5,000 pods', () => {
  let browser: Browser;
  let mock: Mock;
  beforeAll(async () => {
    [browser, mock] = await Promise.all([launch(), startMock({ nodes: 150, pods: 5_000 })]);
  });
  afterAll(async () => {
    await browser.close();
    await mock.close();
  });

  it.each(['light', 'dark'] as const)('%s: a node is zoomed into by keys and left again, and axe finds nothing on the way', async (colorScheme) => {
    const { page, problems } = await openPage(browser, `${mock.url}#/cluster`, { colorScheme });
    await page.getByText('5 000 pods', { exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.locator('.cluster-plot').focus();
    await page.keyboard.press('ArrowRight');
    const name = (await page.getByRole('region', { name: /^Node / }).getAttribute('aria-label'))?.replace('Node ', '') ?? '';
    expect(name).not.toBe('');
    await page.keyboard.press('Enter');
    await page.getByText(`Pods of ${name}`).waitFor();
    expect(await page.locator('*').count()).toBeLessThan(elementsMax);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Backspace');
    await expect.poll(() => page.getByText(`Pods of ${name}`).count()).toBe(0);
    for (const view of ['timeline', 'problems', 'objects?kind=pods.']) {
      await page.evaluate((place) => void (location.hash = `#/${place}`), view);
      await page
        .locator(view === 'timeline' ? '.tl-label button' : view === 'problems' ? '.problem' : '.objects tbody tr')
        .first()
        .waitFor();
      expect(await axeFaults(page), view).toEqual([]);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('another order comes with the rows that are seen, and those below with the first step towards them', async () => {
    const { page, problems } = await openPage(browser, `${mock.url}#/timeline`, { width: 1440, height: 900 });
    await page.locator('.tl-label button').first().waitFor();
    const limits = limitsAsked(page);
    const names = () => page.locator('.tl-label button:not(.twist)').allTextContents();
    const before = await names();
    await page.locator('.timeline-head select').nth(1).selectOption('time');
    await expect.poll(names).not.toEqual(before);
    const [first = 0] = limits;
    expect(first).toBeGreaterThanOrEqual((await names()).length);
    await page.locator('.tl-scroll').evaluate((rows) => void (rows.scrollTop = 18 * 60));
    await expect.poll(() => Math.max(...limits)).toBeGreaterThan(first);
    await expect.poll(() => page.locator('.tl-label .skeleton').count()).toBe(0);
    expect((await names()).length).toBeGreaterThan(20);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('a long table begins with the rows that the window has room for, and those below follow by themselves', async () => {
    const { page, problems } = await openPage(browser, `${mock.url}#/settings`, { width: 1440, height: 900 });
    await page.getByText('--seed').waitFor();
    await page.evaluate(() => {
      const counts: number[] = [];
      Object.assign(window, { rowCounts: counts });
      new MutationObserver(() => {
        const count = document.querySelectorAll('main.view tbody tr').length;
        if (counts.at(-1) !== count) counts.push(count);
      }).observe(document.documentElement, { subtree: true, childList: true });
      location.hash = '#/objects?kind=pods.';
    });
    await expect.poll(() => page.locator('main.view tbody tr').count()).toBe(100);
    const counts = await page.evaluate(() => (window as unknown as { rowCounts: readonly number[] }).rowCounts);
    expect(counts.slice(-2)).toEqual([27, 100]);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

/** How many rows each question about the timeline asked for. */
function limitsAsked(page: Page): readonly number[] {
  const limits: number[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/timelines/main') && searchParams.get('sort') === 'time') limits.push(Number(searchParams.get('limit')));
  });
  return limits;
}

interface FrameTimes {
  readonly frames: number;
  readonly medianMs: number;
  readonly longestMs: number;
}

async function frames(page: Page, act: () => Promise<void>): Promise<FrameTimes> {
  await page.evaluate(() => {
    const record = { deltas: [] as number[], stopped: false };
    Object.assign(window, { frameRecord: record });
    let last = performance.now();
    const step = (now: number) => {
      record.deltas.push(now - last);
      last = now;
      if (!record.stopped) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  await act();
  const deltas = await page.evaluate(() => {
    const { frameRecord } = window as unknown as { frameRecord: { deltas: number[]; stopped: boolean } };
    frameRecord.stopped = true;
    return frameRecord.deltas.slice(1);
  });
  deltas.sort((a, b) => a - b);
  return { frames: deltas.length, medianMs: Math.round(deltas[deltas.length >> 1] ?? 0), longestMs: Math.round(deltas.at(-1) ?? 0) };
}
