/** The frame against the real engine: what is wrong and why in few clicks, figures that lead somewhere, and addresses that lead back. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const faults = '/apis/sim.wavetank.dev/v1alpha1/faults';
const strange = `a\u202eb\u0000 ${'x'.repeat(200_000)}`;

describe.skipIf(!available)('the frame', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('frame', ['--nodes', '3', '--seed', '7', '--speed', 'paused'])]);
    ({ page, problems } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
  }, startMs);
  afterEach(() => expect(problems).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const strip = () => page.getByRole('region', { name: 'Overview' });
  const inspector = () => page.getByRole('complementary', { name: 'Inspector' });
  const hash = () => page.evaluate(() => location.hash);

  it('is there before its scripts are, and in the colours that were chosen', async () => {
    for (const [choice, scheme] of [
      ['dark', 'light'],
      ['light', 'dark'],
    ] as const) {
      const context = await browser.newContext({ colorScheme: scheme, storageState: await page.context().storageState() });
      await context.addInitScript((chosen) => localStorage.setItem('wavetank.theme', chosen), choice);
      const early = await context.newPage();
      // The page's own scripts never come.
      await early.route('**/assets/*.js', () => undefined);
      await early.goto(new URL('/', page.url()).href, { waitUntil: 'commit' });
      await early.getByText('Problems').waitFor();
      expect(await early.locator('html').getAttribute('data-theme')).toBe(choice);
      await context.close();
    }
  });

  it('says that nothing is wrong, and what there is', async () => {
    await ask(page, deployments, deployment('web', 6));
    await advance(page, '1m');
    await strip().getByRole('button', { name: 'nothing is wrong' }).waitFor();
    await expect
      .poll(() => strip().textContent())
      .toMatch(/6 ready.*3 of 3 nodes ready.*0 short of pods.*0 late CronJobs.*0 faults.*0 warnings\/min/);
  });

  it('tells what is wrong and why in two clicks: a dead node is one problem, with its cause and a time that runs down', async () => {
    await ask(page, faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' } } });
    await advance(page, '2m');
    await strip().getByRole('button', { name: '1 problem', exact: true }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'node-0' }).first();
    await expect
      .poll(() => row.textContent())
      .toMatch(/NodeNotReady.*stopped reporting.*because fault dark.*next its pods that do not tolerate it for longer are evicted.* in [1-4]m/);
    const left = await row.textContent();
    await advance(page, '10s');
    await expect.poll(() => row.textContent()).not.toBe(left);
    await row
      .getByRole('button', { name: /node-0/ })
      .first()
      .click();
    await expect.poll(() => inspector().locator('.chain').textContent()).toMatch(/longer than the grace period.*had struck node node-0/);
    await expect.poll(() => strip().textContent()).toMatch(/2 of 3 nodes ready.*1 fault/);
  });

  it('the cause of a problem opens as the change that it is, and the link to it leads there again', async () => {
    await ask(page, deployments, deployment('lost', 2, { image: 'nginx', resources: { requests: { cpu: '900' } } }));
    await advance(page, '30s');
    const row = page.getByRole('listitem').filter({ hasText: 'lost' }).first();
    await row.getByRole('button', { name: 'kubernetes-admin created Deployment lost' }).click();
    await inspector()
      .getByText(/Why revision \d+ came about/)
      .waitFor();
    const opened = await openPage(browser, engine.link());
    await opened.page.goto(page.url());
    await opened.page.getByText(/Why revision \d+ came about/).waitFor();
    await opened.page.close();
    expect(opened.problems).toEqual([]);
  });

  it('figures lead to what they count', async () => {
    await strip()
      .getByTitle(/stuck|reason that does not pass/)
      .click();
    await expect.poll(hash).toContain('#/problems?filter=pods');
    await strip()
      .getByTitle(/pods? running and ready/)
      .click();
    await page.getByRole('button', { name: 'state=Running' }).waitFor();
    await page.locator('.table-wrap tbody tr', { hasText: 'web-' }).first().waitFor();
    await expect.poll(() => page.locator('.table-wrap tbody tr', { hasText: 'lost-' }).count()).toBe(0);
    await expect.poll(hash).toContain('filter=state');
    await startsFor(page);
    await strip()
      .getByTitle(/in force/)
      .click();
    await page.getByRole('cell', { name: 'dark' }).first().waitFor();
    await strip()
      .getByTitle(/in about the last minute/)
      .click();
    await page.locator('.drawer.open').waitFor();
    await page.getByRole('button', { name: 'Close the drawer' }).click();
    await strip()
      .getByTitle(/of 3 nodes ready/)
      .click();
    await expect.poll(() => page.locator('.tl-label button').count()).toBe(3);
  });

  /** Pods that run and are not ready yet, alone. */
  async function startsFor(opened: Page): Promise<void> {
    const readinessProbe = { exec: { command: ['true'] }, initialDelaySeconds: 7200 };
    await ask(opened, deployments, deployment('slow', 2, { readinessProbe }));
    await advance(opened, '20s');
    await strip()
      .getByTitle(/2 pods starting/)
      .click();
    await opened.getByRole('button', { name: 'state=Starting' }).waitFor();
    await expect
      .poll(async () => (await opened.locator('.table-wrap tbody tr').allTextContents()).map((row) => /slow-|web-/.exec(row)?.[0]))
      .toEqual(['slow-', 'slow-']);
    // In the word of every other view, kubectl's beside it.
    await expect.poll(() => opened.locator('.table-wrap tbody tr', { hasText: 'Starting Running' }).count()).toBe(2);
    await ask(opened, `${deployments}/slow`, undefined, 'DELETE');
    await advance(opened, '60s');
  }

  it('back and forward lead through views and selections; what is not there any more is said', async () => {
    await page.locator('.tl-label button', { hasText: 'node-1' }).click();
    await page.locator('.tl-label button', { hasText: 'node-2' }).click();
    await page.getByRole('link', { name: 'Objects' }).click();
    // Beside an open inspector there is room for the table alone: kinds are chosen from above it, and no column is cut.
    await page.getByLabel('Kinds').filter({ visible: true }).selectOption('Deployment · apps');
    const age = page.getByRole('columnheader', { name: 'Age' });
    const edge = async (locator: typeof age, side: (box: { x: number; width: number }) => number) =>
      side((await locator.boundingBox()) ?? { x: 0, width: 0 });
    expect(await edge(age, ({ x, width }) => x + width)).toBeLessThanOrEqual((await edge(inspector(), ({ x }) => x)) + 1);
    await page.getByRole('button', { name: 'web', exact: true }).click();
    await expect.poll(hash).toMatch(/^#\/objects\?kind=deployments.apps&object=deployments.apps\/default\/web/);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await expect.poll(hash).toContain('#/timeline?kind=nodes&object=nodes/node-2');
    await page.goBack();
    await expect.poll(() => inspector().locator('.inspector-head code').textContent()).toBe('node-1');
    await page.goForward();
    await expect.poll(() => inspector().locator('.inspector-head code').textContent()).toBe('node-2');
    await page.evaluate(() => {
      location.hash = '#/objects?kind=nosuch&object=pods/default/never&tab=nothing&revision=1e99&from=9&to=1';
    });
    await inspector().getByText('It does not exist now').waitFor();
  });

  it('a range that somebody chose is in the address, and comes back with it; following now is not', async () => {
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.locator('.tl-label button').first().waitFor();
    await page.keyboard.press('w');
    await expect.poll(hash).toMatch(/from=\d+&to=\d+/);
    const chosen = await hash();
    await page.keyboard.press('l');
    await expect.poll(hash).not.toContain('from=');
    await page.evaluate((to) => {
      location.hash = to;
    }, chosen);
    await expect.poll(() => page.getByRole('button', { name: 'Follow', exact: true }).getAttribute('aria-pressed')).toBe('false');
    await expect.poll(hash).toBe(chosen);
    // The past is unmistakable everywhere; views that can only tell of now do not claim to show it.
    await page.getByText(/^shown: /).waitFor();
    for (const view of ['Problems', 'Objects', 'Scenarios', 'Faults', 'Requests', 'Settings']) {
      await page.getByRole('link', { name: view }).click();
      await page
        .locator('.timebar.is-past')
        .getByText(/^playhead: /)
        .waitFor();
    }
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.keyboard.press('l');
  });

  it('texts without end or sense are drawn shortened, and nothing breaks', async () => {
    await ask(page, '/api/v1/namespaces/default/events', {
      metadata: { name: 'strange' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: strange.slice(0, 60_000) },
      type: 'Warning',
      reason: 'Strange',
      message: strange.slice(0, 900),
    });
    await ask(page, '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'heavy', annotations: { note: strange }, labels: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`l${i}`, 'v'])) },
    });
    await page.evaluate(() => {
      location.hash = '#/objects?kind=configmaps&object=configmaps/default/heavy';
    });
    await inspector().getByText('It holds 0 entries.').waitFor();
    await page.locator('.drawer').getByRole('tab', { name: 'Events' }).click();
    await page.locator('.drawer td', { hasText: 'Strange' }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await page.locator('*').count()).toBeLessThan(4000);
    await inspector().getByRole('tab', { name: 'YAML' }).click();
    await inspector().locator('.yaml').waitFor();
    expect(await page.evaluate(() => (document.querySelector('.yaml')?.textContent ?? '').length)).toBeLessThan(100_000);
    await page.getByRole('button', { name: 'Close the drawer' }).click();
  });

  it.each(['light', 'dark'] as const)('%s: axe finds nothing among the problems', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.keyboard.press('p');
    await page.getByRole('listitem').filter({ hasText: 'node-0' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('.problem.is-selected').waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });
});
