/** The timeline in a real browser against the pretend cluster: what rows draw, and what is under the pointer. */
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from '../../renderer/testing/mock-server.ts';
import { available, launch, openPage } from './browser.ts';

describe.skipIf(!available)('the timeline', () => {
  let browser: Browser;
  let mock: Mock;
  beforeAll(async () => {
    [browser, mock] = await Promise.all([launch(), startMock()]);
  });
  afterAll(async () => {
    await browser.close();
    await mock.close();
  });

  it('an outage of a workload is seen on its row, and the cluster stands over all', async () => {
    const [from, to] = [Date.UTC(2026, 0, 5, 8, 0), Date.UTC(2026, 0, 5, 8, 6)];
    const { page, problems } = await openPage(browser, `${mock.url}#/timeline?search=deployments.apps/shop/search-0&from=${from}&to=${to}`);
    await page.locator('.tl-label button', { hasText: 'search-0' }).first().waitFor();
    await page.getByRole('group', { name: 'The whole cluster over time' }).getByText('30 / 30').waitFor();
    const plot = await page.locator('.tl-plot').boundingBox();
    await expect.poll(() => colourAt(page, 0.6)).toBe('red');
    expect(await colourAt(page, 0.2)).toBe('blue');
    const pointAt = (share: number) => page.mouse.move((plot?.x ?? 0) + (plot?.width ?? 0) * share, (plot?.y ?? 0) + 8);
    await pointAt(0.6);
    await expect.poll(() => page.getByRole('tooltip').textContent()).toContain('0 of 100 pods ready, 100 short since 08:02:00');
    await pointAt(0.95);
    await expect.poll(() => page.getByRole('tooltip').textContent()).toContain('100 of 100 pods ready since 08:05:00');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a history that was cut says so over its rows, and leads to what it remembers whole', async () => {
    const { page, problems } = await openPage(browser, 'about:blank');
    const untilMs = Date.UTC(2026, 0, 5, 8, 4);
    await page.route(/\/timelines\/main/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { range: object };
      await route.fulfill({ response, json: { ...body, range: { ...body.range, forgottenUntilMs: untilMs } } });
    });
    await page.goto(`${mock.url}#/timeline?from=${untilMs - 60_000}&to=${untilMs + 60_000}`);
    const note = page.getByRole('note').filter({ hasText: 'rows of what was deleted before 08:04:00 are forgotten' });
    await note.getByRole('button', { name: 'Show what came after' }).click();
    await expect.poll(() => note.count()).toBe(0);
    await page.locator('.tl-label button').first().waitFor();
    expect(Number(new URLSearchParams(page.url().split('?')[1]).get('from'))).toBe(untilMs);
    await page.evaluate((place) => void (location.hash = place), `#/timeline?before=${untilMs - 60_000}&after=${untilMs + 60_000}`);
    await page.getByRole('status').filter({ hasText: 'what was deleted before 08:04:00 is forgotten' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('what lies over all rows has a layer while it is there: each costs every frame', async () => {
    const { page, problems } = await openPage(browser, `${mock.url}#/timeline`);
    await page.locator('.tl-label button').first().waitFor();
    const layers = page.locator('.tl-plot canvas:visible');
    await page.locator('.tl-upright.now').waitFor({ state: 'attached' });
    expect(await layers.count()).toBe(2);
    const plot = await page.locator('.tl-plot').boundingBox();
    await page.mouse.move((plot?.x ?? 0) + 300, (plot?.y ?? 0) + 40);
    await expect.poll(async () => (await page.locator('.tl-upright.pointer').boundingBox())?.x).toBe(Math.round((plot?.x ?? 0) + 300));
    expect(await layers.count()).toBe(2);
    await page.locator('.timeline-head').getByRole('button', { name: 'Compare', exact: true }).click();
    await expect.poll(() => layers.count()).toBe(3);
    await page.locator('.timeline-head').getByRole('button', { name: 'Compare', exact: true }).click();
    await expect.poll(() => layers.count()).toBe(2);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('an act paints once what it changes: rows beside an inspector for the room that it leaves, and the cluster not for another order', async () => {
    const [from, to] = [Date.UTC(2026, 0, 5, 8, 0), Date.UTC(2026, 0, 5, 8, 6)];
    const { page, problems } = await openPage(browser, 'about:blank');
    await page.addInitScript(() => {
      const painted = { rows: 0, cluster: 0 };
      Object.assign(window, { painted });
      const context = CanvasRenderingContext2D.prototype;
      const { putImageData, clearRect } = context;
      context.putImageData = function (this: CanvasRenderingContext2D, ...given: unknown[]) {
        painted.rows++;
        Reflect.apply(putImageData, this, given);
      };
      context.clearRect = function (...given) {
        if (this.canvas.closest('.tl-cluster')) painted.cluster++;
        Reflect.apply(clearRect, this, given);
      };
    });
    const painted = () => page.evaluate(() => ({ ...(window as unknown as { painted: { rows: number; cluster: number } }).painted }));
    /** Nothing was painted for a while. */
    const rested = async () => {
      for (let before = await painted(); ; ) {
        await page.waitForTimeout(1000);
        const after = await painted();
        if (isDeepStrictEqual(before, after)) return after;
        before = after;
      }
    };
    // Rows beyond the window are asked for once the page has come to rest, whenever a busy machine lets it.
    const limits = new Set<string | null>();
    const whole = page.waitForResponse((response) => {
      if (response.url().includes('/timelines/main?')) limits.add(new URL(response.url()).searchParams.get('limit'));
      return limits.size === 2;
    });
    await page.goto(`${mock.url}#/timeline?from=${from}&to=${to}`);
    const rows = page.locator('.tl-label button:not(.twist)');
    await rows.nth(3).waitFor();
    await whole;
    const first = await rested();
    await rows.nth(3).click();
    await page.locator('.inspector').getByRole('tab').first().waitFor();
    const beside = await rested();
    expect(beside.rows - first.rows).toBe(1);
    await page.locator('.timeline-head select').nth(1).selectOption('size');
    await expect.poll(async () => (await painted()).rows).toBeGreaterThan(beside.rows);
    expect((await painted()).cluster).toBe(beside.cluster);
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('%s: a view that was panned and zoomed and came back is the very same picture', async (colorScheme) => {
    const [from, to] = [Date.UTC(2026, 0, 5, 8, 0), Date.UTC(2026, 0, 5, 8, 6)];
    const { page, problems } = await openPage(browser, `${mock.url}#/timeline?group=trouble&from=${from}&to=${to}`, { colorScheme });
    await page.locator('.tl-label button').first().waitFor();
    await page.waitForLoadState('networkidle');
    const box = await page.locator('.tl-plot').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 8);
    await page.getByRole('tooltip').waitFor();
    const seen = () => page.locator('.tl').screenshot();
    const before = await seen();
    for (const [x, y] of [
      [90, 0],
      [0, -120],
      [0, -60],
      [0, 60],
      [0, 120],
      [-90, 0],
    ] as const) {
      await page.mouse.wheel(x, y);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    await page.locator('.tl.is-moving').waitFor({ state: 'detached' });
    await page.getByRole('tooltip').waitFor();
    await page.waitForLoadState('networkidle');
    await expect.poll(async () => (await seen()).equals(before)).toBe(true);
    // Elsewhere it is another one.
    await page.mouse.wheel(200, 0);
    await page.locator('.tl.is-moving').waitFor({ state: 'detached' });
    await expect.poll(async () => (await seen()).equals(before)).toBe(false);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a step along time is named in the address at once, and asked for as it is named', async () => {
    const { page } = await openPage(browser, `${mock.url}#/timeline`);
    await page.locator('.tl-label button').first().waitFor();
    const asked: (readonly number[])[] = [];
    const instants = (params: URLSearchParams, ...names: readonly string[]) => names.map((name) => Math.round(Number(params.get(name))));
    page.on('request', (request) => asked.push(instants(new URL(request.url()).searchParams, 'shownFrom', 'shownTo')));
    await page.keyboard.press('w');
    const named = instants(new URLSearchParams(page.url().split('?')[1]), 'from', 'to');
    expect(named).not.toContain(0);
    await expect.poll(() => asked).toContainEqual(named);
    await page.close();
  });

  it('names stand beside their bars also when the keyboard goes to one that is half hidden', async () => {
    const { page } = await openPage(browser, `${mock.url}#/timeline`, { height: 707 });
    await page.locator('.tl-label button').nth(5).waitFor();
    const offsets = () =>
      page.locator('.tl-label').evaluateAll((labels) => {
        const top = document.querySelector('.tl-plot')?.getBoundingClientRect().top ?? 0;
        return labels.map((label) => Math.round(label.getBoundingClientRect().top - top - Number.parseFloat((label as HTMLElement).style.top)));
      });
    const last = page.locator('.tl-label button').last();
    const isHalfHidden = await last.evaluate((button) => {
      const floor = document.querySelector('.tl-plot')?.getBoundingClientRect().bottom ?? 0;
      return button.getBoundingClientRect().bottom > floor;
    });
    expect(isHalfHidden).toBe(true);
    await last.focus();
    await expect.poll(async () => new Set(await offsets())).toEqual(new Set([0]));
    await page.close();
  });
});

/** Of the bar of the first row, at a share of the width. */
function colourAt(page: Page, share: number): Promise<string> {
  return page.evaluate((at) => {
    const canvas = document.querySelectorAll<HTMLCanvasElement>('.tl-plot canvas')[1];
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return '';
    const { data } = context.getImageData(Math.round(canvas.width * at), 4, 12, 8);
    let [red, blue] = [0, 0];
    for (let pixel = 0; pixel < data.length; pixel += 4) {
      red += data[pixel] ?? 0;
      blue += data[pixel + 2] ?? 0;
    }
    return red > blue ? 'red' : 'blue';
  }, share);
}
