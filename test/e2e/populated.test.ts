/**
 * Every view of a cluster in which everything goes wrong, with what opens over and beside it: axe finds nothing in either theme, now, in the past and
 * without an engine, and what is said there is true.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { worlds } from './look/worlds.ts';
import { ask, type RealEngine, startEngine, startMs } from './real-engine.ts';
import { kubeApi } from './tasks/kube-api.ts';

const sim = '/apis/sim.wavetank.dev/v1alpha1';
const front = 'object=deployments.apps/release/front';

describe.skipIf(!available)('a cluster in which everything goes wrong', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  let past = '';
  beforeAll(async () => {
    const { options, play } = worlds.wrong;
    [browser, engine] = await Promise.all([launch(), startEngine('populated', options)]);
    ({ page, problems } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor({ timeout: startMs });
    const { access } = await ask<{ access: { kubeconfig: string } }>(page, `${sim}/settings/cluster`);
    const api = kubeApi(access.kubeconfig);
    await play(api);
    api.close();
    const { status } = await ask<{ status: { virtualMs: number } }>(page, `${sim}/clocks/cluster`);
    past = `from=${Math.floor(status.virtualMs) - 3_600_000}&to=${Math.floor(status.virtualMs) - 600_000}`;
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const go = async (place: string): Promise<void> => await page.evaluate((hash) => void (location.hash = hash), `#/${place}`);
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  /** What axe finds where this text stands, in both themes, and whether something is cut. */
  const faults = async (place: string, text: string | RegExp): Promise<readonly string[]> => {
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const broken = await axeFaults(page);
      // What does not fit its view is cut, and nobody can scroll to it.
      const cut = await page.evaluate(() =>
        document
          .querySelectorAll('.view')
          .values()
          .some((view) => view.scrollHeight > view.clientHeight),
      );
      if (cut) found.push(`${place}, ${colorScheme}: taller than its view`);
      found.push(...broken.map((fault) => `${place}, ${colorScheme}: ${fault}`));
    }
    return found;
  };

  it.each([
    ['timeline?group=trouble', 'front-'],
    [`timeline?table=true&drawer=events`, 'FailedCreate'],
    [`timeline?search=front&${front}&drawer=logs`, 'front-'],
    [`timeline?search=front&${front}&tab=why`, 'Why it changed last'],
    ['problems?object=nodes/node-0', 'NodeNotReady'],
    ['cronjobs?object=cronjobs.batch/nightly/backup', 'backup'],
    ['cronjobs?group=month', 'November 2026'],
    ['cluster?object=nodes/node-0', 'until its pods are evicted'],
    ['cluster?table=true', 'CPU requested'],
    [`objects?kind=pods.&${front}&tab=events`, 'ScalingReplicaSet'],
    [`objects?kind=deployments.apps&${front}&tab=yaml`, 'apiVersion'],
    ['scenarios', 'A day of CronJobs'],
    ['faults', 'dark'],
    ['requests', 'my-operator'],
    ['settings', '--admission-control-config-file'],
    ['create', 'Begin with'],
  ])('axe finds nothing at %s', async (place, text) => {
    await go(place);
    expect(await faults(place, new RegExp(text))).toEqual([]);
  });

  it('axe finds nothing where something is about to be done', async () => {
    const { items } = await ask<{ items: { spec: { nodeName: string } }[] }>(page, '/api/v1/namespaces/budget/pods');
    await go(`cluster?object=nodes/${items.map(({ spec }) => spec.nodeName).find((node) => node !== 'node-0')}`);
    await button('Drain').click();
    expect(await faults('drain', /lets no pod go now: \d pods? of this node (is|are) refused/)).toEqual([]);
    await go('faults');
    await button('Break something').click();
    expect(await faults('a fault', 'Strikes in')).toEqual([]);
    await go('objects?kind=deployments.apps');
    for (const name of ['release/front', 'shop/web']) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
    await button(/^Scale$/).click();
    expect(await faults('scaling several', '2 chosen')).toEqual([]);
    await go('timeline');
    await page.keyboard.press('?');
    expect(await faults('keys', 'Marks on the timeline')).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('says what comes next of a dead node as a sentence, and its causes begin with a capital where they are told', async () => {
    await go('problems');
    const node = page.getByRole('listitem').filter({ hasText: 'NodeNotReady' });
    await expect.poll(() => node.textContent()).toMatch(/next its pods that do not tolerate it for longer are evicted in \d+m( \d+s)?affects/);
    const begins = await page
      .locator('.problem-summary')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one, '::first-letter').textTransform));
    expect(new Set(begins)).toEqual(new Set(['uppercase']));
  });

  it('compares two instants in one line at 1280: whole instants, what can be copied, and the way out', async () => {
    const { status } = await ask<{ status: { virtualMs: number } }>(page, `${sim}/clocks/cluster`);
    await go(`timeline?before=${Math.floor(status.virtualMs) - 1_500_000}&after=${Math.floor(status.virtualMs)}`);
    const region = page.getByRole('region', { name: 'What changed' });
    await region.getByRole('table').waitFor();
    const head = region.locator('.differences-head');
    const boxes = await head.locator('strong, input, select, button').evaluateAll((all) =>
      all.map((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
    expect(Math.max(...boxes) - Math.min(...boxes)).toBeLessThan(6);
    const cut = await head.locator('.instants input').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect(cut).toBe(0);
    expect(await faults('comparison', 'What changed between')).toEqual([]);
  });

  it('the head of the timeline stands on one line beside an inspector at 1280, and its buttons keep their names', async () => {
    await go('timeline?object=nodes/node-0&kind=nodes');
    await page.getByRole('complementary', { name: 'Inspector' }).locator('.summary').waitFor();
    const head = page.locator('.timeline-head');
    for (const name of ['Compare', 'Follow']) await head.getByRole('button', { name, exact: true }).waitFor();
    const boxes = await head.locator('input, select, button').evaluateAll((all) =>
      all.map((one) => {
        const { top, bottom, right } = one.getBoundingClientRect();
        return { middle: (top + bottom) / 2, right };
      }),
    );
    const middles = boxes.map(({ middle }) => middle);
    expect(middles.length).toBeGreaterThan(8);
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6);
    const end = await head.evaluate((one) => one.getBoundingClientRect().right);
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(end);
  });

  it('the head of the map stands on one line beside an inspector at 1280', async () => {
    await go('cluster?object=nodes/node-0');
    const head = page.locator('.cluster .view-head');
    for (const text of ['4 nodes', '1 not ready']) await head.getByText(text, { exact: true }).waitFor();
    await page.getByRole('complementary', { name: 'Inspector' }).locator('.summary').waitFor();
    const middles = await head.locator('h1, .badge, select, button').evaluateAll((all) =>
      all.map((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
    expect(middles.length).toBeGreaterThan(5);
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6);
  });

  it('beside the decision of a pod, which is wide, the head of the map stands on one line and that of the timeline on two, and nothing of them is cut', async () => {
    const { items } = await ask<{ items: readonly { metadata: { name: string } }[] }>(page, '/api/v1/namespaces/placing/pods');
    const decision = `object=pods/placing/${items[0]?.metadata.name ?? ''}&tab=decision`;
    for (const [view, head, lines] of [
      ['cluster', '.cluster .view-head', 1],
      ['timeline', '.timeline-head', 2],
    ] as const) {
      await go(`${view}?${decision}`);
      await page.getByRole('region', { name: 'Nodes by plugins' }).waitFor();
      await page.locator(head).waitFor();
      const { width, height, right } = await page.locator(head).evaluate((one) => {
        const inner = [...one.querySelectorAll('input, select, button')].map((part) => part.getBoundingClientRect().right);
        const box = one.getBoundingClientRect();
        return { width: box.width, height: box.height, right: box.right - Math.max(...inner) };
      });
      expect(width).toBeLessThan(500);
      expect(height).toBeLessThan(lines * 40 + 10);
      expect(right).toBeGreaterThanOrEqual(0);
    }
    await page.getByRole('button', { name: 'Compare', exact: true }).waitFor();
  });

  it('the legend of the timeline has room for all that is in sight, beside an inspector too', async () => {
    await go(`timeline?${front}`);
    const legend = page.locator('.tl-legend-line');
    await legend.getByText('Created').waitFor();
    await expect.poll(() => legend.getByRole('button').count()).toBe(0);
    expect((await legend.boundingBox())?.height).toBeLessThan(50);
    const { bottom, last } = await legend.evaluate((one) => ({
      bottom: one.getBoundingClientRect().bottom,
      last: Math.max(...[...one.querySelectorAll('span')].map((part) => part.getBoundingClientRect().bottom)),
    }));
    expect(last).toBeLessThanOrEqual(bottom);
  });

  it('offers in the past what the past allows', async () => {
    await go('cluster');
    await page.getByText('Select a node to see and break it').waitFor();
    await go(`cluster?${past}`);
    await page.getByText('Select a node or a pod to see it').waitFor();
    expect(await page.getByText('break it').count()).toBe(0);
  });

  it.each(['timeline', 'problems', 'cronjobs', 'cluster', 'objects', 'faults', 'requests'])('axe finds nothing at %s of the past', async (view) => {
    await go(`${view}?${past}`);
    expect(await faults(`${view} of the past`, 'Past: back to now')).toEqual([]);
    // The log of a pod on a node that is dead cannot be read, as the API server says with a 500.
    expect(problems.filter((text) => !text.includes('500'))).toEqual([]);
  });

  it('a lost engine is told with a capital, and axe finds nothing where it is told', async () => {
    await go('cluster');
    await page.getByText('4 nodes', { exact: true }).waitFor();
    await engine.kill();
    await expect.poll(() => page.locator('.engine-banner strong').textContent()).toMatch(/^Engine lost/i);
    const shown = await page.locator('.engine-banner strong').evaluate((one) => getComputedStyle(one, '::first-letter').textTransform);
    expect(shown).toBe('uppercase');
    for (const view of ['timeline', 'cronjobs', 'cluster', 'settings']) {
      await go(view);
      expect(await faults(`${view} without an engine`, /Engine lost|engine lost/)).toEqual([]);
    }
  });
});
