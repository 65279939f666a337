/** An engine that hangs, dies and comes back: the page says so everywhere, draws nothing as true that it does not know, and is itself again. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

describe.skipIf(!available)('truth', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('truth', ['--nodes', '3', '--speed', 'paused'], 'truth.session')]);
    ({ page } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const banner = (text: string) => page.getByRole('status').filter({ hasText: text });
  const strip = () => page.getByRole('region', { name: 'Overview' });

  it('a paused engine that has nothing to tell is heard all the same', async () => {
    await ask(page, '/apis/apps/v1/namespaces/default/deployments', deployment('web', 3));
    await advance(page, '1m');
    await strip().getByText('3 of 3').waitFor();
    // Longer than a silent engine is believed.
    const beats = await page.evaluate(async () => {
      const socket = new WebSocket(`ws://${location.host}/watch`);
      let count = 0;
      await new Promise<void>((done) => {
        socket.addEventListener('message', ({ data }) => {
          if (String(data).includes('"BEAT"') && ++count === 5) done();
        });
      });
      socket.close();
      return count;
    });
    expect(beats).toBe(5);
    expect(await page.locator('.app.is-stale').count()).toBe(0);
    expect(await page.getByText('paused').count()).toBe(1);
  });

  it('a hung engine is told, figures are of an instant that is named, and rows are not drawn on', async () => {
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
    const plot = page.locator('.tl-plot');
    const before = await plot.screenshot();
    engine.process().kill('SIGSTOP');
    await banner('engine not answering').waitFor();
    await strip()
      .getByText(/^as of \d\d:\d\d:\d\d$/)
      .waitFor();
    expect(await page.locator('.status-dot').count()).toBe(0);
    expect((await plot.screenshot()).equals(before)).toBe(false);
    engine.process().kill('SIGCONT');
    await page.locator('.status-dot').waitFor();
    await expect
      .poll(() =>
        strip()
          .getByText(/^as of/)
          .count(),
      )
      .toBe(0);
  });

  it('a killed engine is told with what to do; nothing says that there are no nodes', async () => {
    await page.getByRole('link', { name: 'Cluster', exact: true }).click();
    await page.getByText('3 nodes', { exact: true }).waitFor();
    await engine.kill();
    await banner('Start it again').waitFor();
    expect(await banner('is not known').textContent()).toMatch(/is of \d\d:\d\d:\d\d/);
    expect(await page.locator('.status-dot').count()).toBe(0);
    expect(await page.getByRole('main').textContent()).not.toMatch(/\b0 (nodes|pods)/);
    expect(await strip().textContent()).toContain('3 of 3');
  });

  it('started again the cluster is where the page looks for it, signed in as before', async () => {
    const address = page.url();
    await engine.restart();
    await page.locator('.status-dot').waitFor();
    await page.getByText('3 nodes', { exact: true }).waitFor();
    expect(page.url()).toBe(address);
    await page.reload();
    await page.getByText('3 pods', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
  });

  it('a view whose file cannot be fetched says so, and comes by itself when the engine is back', async () => {
    await engine.kill();
    await banner('Start it again').waitFor();
    await page.getByRole('link', { name: 'Create' }).click();
    await page.getByRole('main').getByText('It comes by itself').waitFor();
    // A view that is here, and has not read what it shows: one alarm is enough, and nothing is offered that is not there.
    await page.getByRole('link', { name: 'Cluster', exact: true }).click();
    await page.getByRole('main').getByText('Nothing more can be read until the engine is heard again').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText('Select a node').count()).toBe(0);
    await page.getByRole('link', { name: 'Create' }).click();
    await engine.restart();
    await page.getByRole('heading', { name: 'Create', level: 1 }).waitFor();
    expect(await page.getByText('It comes by itself').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('what was never read is not shown as if there were nothing', async () => {
    const unread = 'Nothing more can be read until the engine is heard again';
    const go = (place: string) => page.evaluate((to) => void (location.hash = to), place);
    // Files of all views are here.
    for (const view of ['scenarios', 'objects', 'timeline']) {
      await go(`#/${view}`);
      await page.locator('.view h1').waitFor();
    }
    await page.evaluate(() => void (location.hash = '#/timeline?drawer=logs'));
    await page.getByText('No pod is selected').waitFor();
    await engine.kill();
    await banner('Start it again').waitFor();
    await go('#/objects?kind=secrets&object=deployments.apps/default/never&drawer=logs');
    await page.getByRole('main').getByText(unread).waitFor();
    await page.getByRole('log').getByText(unread).waitFor();
    await page.getByText('kubectl logs deployments.apps/never -n default').waitFor();
    await go('#/objects?kind=secrets&object=pods/default/never&drawer=logs');
    await page.getByRole('log').getByText(unread).waitFor();
    await go('#/objects?kind=secrets&object=pods/default/never&tab=events&drawer=events');
    await expect.poll(() => page.getByText(unread).count()).toBe(3);
    await engine.restart();
    await page.locator('.status-dot').waitFor();
    await expect.poll(() => page.getByText(unread).count()).toBe(0);
  });
});
