/** Every picture is a link: opened later, and elsewhere, it is the same picture; back and forward go through them. And names that break pages. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const maps = '/api/v1/namespaces/default/configmaps';
const events = '/api/v1/namespaces/default/events';
const huge = 256 * 1024;
const [otherMonth, otherName] = ['2026-02', 'February 2026'];

describe.skipIf(!available)('links', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  /** Around all that happened. */
  let [fromMs, toMs] = [0, 0];
  let pod = '';

  beforeAll(async () => {
    [browser, engine] = await Promise.all([
      launch(),
      startEngine('links', ['--nodes', '2', '--speed', 'paused', '--start-time', '2026-03-28T20:00:00Z']),
    ]);
    ({ page, problems } = await openPage(browser, engine.link(), { width: 1440, height: 900 }));
    await page.locator('.status-dot').waitFor();
    const now = async (): Promise<number> =>
      (await ask<{ status: { virtualMs: number } }>(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster')).status.virtualMs;
    await advance(page, '10s');
    fromMs = Math.ceil(await now());
    await ask(page, deployments, deployment('web', 2));
    const job = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '5'] }] } } };
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs', {
      metadata: { name: 'tick' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: job } },
    });
    await ask(page, maps, { metadata: { name: 'hostile', labels: manyLabels(), annotations: { note: 'n'.repeat(huge - 6_000) } }, data: { a: '1' } });
    await advance(page, '1m');
    const evil = '\u202Egnp.exe\u202C\u0000\u0007<img src=x onerror="throw 1">\n\tend';
    await ask(
      page,
      `${maps}/hostile`,
      { metadata: { annotations: { note: `${'n'.repeat(1000)}${evil}` } }, data: { [`k${'x'.repeat(240)}`]: evil, long: 'y'.repeat(huge) } },
      'PATCH',
    );
    const involvedObject = { kind: 'ConfigMap', apiVersion: 'v1', name: 'hostile', namespace: 'default' };
    await ask(page, events, { metadata: { name: 'loud' }, involvedObject, type: 'Warning', reason: 'Loud', message: `${evil}${'m'.repeat(900)}` });
    await advance(page, '90s');
    toMs = Math.floor(await now());
    const pods = await ask<{ items: { metadata: { name: string } }[] }>(page, '/api/v1/namespaces/default/pods?labelSelector=app%3Dweb');
    pod = pods.items[0]?.metadata.name ?? '';
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
    expect(problems).toEqual([]);
  });

  const hash = () => page.evaluate(() => decodeURIComponent(location.hash));
  const goTo = (place: string) => page.evaluate((to) => void (location.hash = to), place);
  const span = () => `from=${fromMs}&to=${toMs}`;

  /** Address, and what is seen there and nowhere before. */
  const places = (): readonly (readonly [place: string, sight: string])[] => [
    [`#/timeline?kind=all&${span()}`, '.timeline-head [aria-pressed=true]:has-text("All")'],
    [`#/timeline?filter=changed&group=time&${span()}`, 'select >> option:checked:text-is("Latest change first")'],
    [`#/timeline?search=app%3Dweb&table=true&${span()}`, '.side-table:has-text("web")'],
    [`#/timeline?before=${fromMs}&after=${toMs}&became=Created&find=pods%2F&${span()}`, '.differences tr:has-text("Pod web-")'],
    [`#/timeline?object=deployments.apps/default/web&tab=why&${span()}`, '.inspector [role=tab][aria-selected=true]:text-is("Why")'],
    [`#/timeline?folded=deployments.apps/default/web&${span()}`, '.tl-label:has-text("web") [aria-expanded=false]'],
    [`#/timeline?group=namespace&folded=*&${span()}`, '.tl-label.is-head [aria-expanded=false]:has-text("default")'],
    [
      `#/timeline?object=pods/default/${pod}&tab=decision&attempt=1&node=node-1&${span()}`,
      '.decision:has-text("Attempt 1 at") .asked:has-text("node-1")',
    ],
    [`#/cronjobs?group=month&month=${otherMonth}`, `.calendar-head :text-is("${otherName}")`],
    [`#/objects?kind=pods.&drawer=events&events=warnings`, '.drawer-bar button[aria-pressed=true]:text-is("Warnings")'],
    [`#/objects?kind=pods.&drawer=requests`, '.drawer [role=tab][aria-selected=true]:text-is("This page’s requests")'],
    [`#/cluster?table=true&${span()}`, 'table tr:has-text("node-1")'],
    [`#/cluster?filter=node-0&group=phase&object=nodes/node-0&${span()}`, '.inspector:has-text("node-0")'],
    [`#/cronjobs?filter=ran&${span()}`, '.segmented [aria-pressed=true]:text-is("Ran")'],
    [`#/objects?kind=configmaps&search=host`, 'td:has-text("hostile")'],
    [`#/problems?filter=nodes`, '.segmented [aria-pressed=true]:text-is("Nodes")'],
  ];

  it('show what they name, each reached by address, by back and forward, and in another window', async () => {
    for (const [place, sight] of places()) {
      await goTo(place);
      await page.locator(sight).first().waitFor({ state: 'attached' });
      expect(await hash()).toBe(decodeURIComponent(place));
    }
    for (const [place, sight] of places().toReversed().slice(1)) {
      await page.goBack();
      await expect.poll(hash).toBe(decodeURIComponent(place));
      await page.locator(sight).first().waitFor({ state: 'attached' });
    }
    for (const [place, sight] of places().slice(1, 4)) {
      await page.goForward();
      await expect.poll(hash).toBe(decodeURIComponent(place));
      await page.locator(sight).first().waitFor({ state: 'attached' });
    }
    const other = await page.context().newPage();
    for (const [place, sight] of places()) {
      await other.goto('about:blank');
      await other.goto(new URL(place, page.url()).href);
      await other.locator(sight).first().waitFor({ state: 'attached' });
      expect(await other.evaluate(() => decodeURIComponent(location.hash))).toBe(decodeURIComponent(place));
    }
    await other.close();
  });

  it('name how much of the past is followed, and are that again in another window, by back, and for who goes to what is shown at first', async () => {
    const label = (of: Page): Promise<string> =>
      of
        .locator('.tl-label')
        .allTextContents()
        .then((names) => names.join(' '));
    await goTo('#/timeline');
    await page.locator('.tl-label', { hasText: 'web' }).first().waitFor();
    for (const [keys, named] of [
      ['f', 'last=all'],
      ['wwll', 'last='],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await expect.poll(hash).toContain(named);
      await page.waitForTimeout(600);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.locator('.tl-label', { hasText: 'web' }).first().waitFor();
      await expect.poll(() => label(other)).toBe(await label(page));
      expect(other.url()).toBe(page.url());
      await other.close();
    }
    await goTo('#/cronjobs');
    await page.getByRole('button', { name: 'Last day', exact: true }).click();
    await expect.poll(hash).toBe('#/cronjobs?last=86400000');
    await goTo('#/timeline');
    await page.locator('.tl-label', { hasText: 'web' }).first().waitFor();
    expect(await hash()).toBe('#/timeline');
    await page.goBack();
    await expect.poll(hash).toBe('#/cronjobs?last=86400000');
    await page.locator('.tl-label', { hasText: 'tick' }).waitFor();
  });

  it('are written by each fold, month, card of the drawer and question, and back undoes each', async () => {
    await goTo(`#/timeline?${span()}`);
    const web = page.locator('.tl-label', { has: page.getByRole('button', { name: 'Collapse web', exact: true }) });
    await web.getByRole('button', { name: 'Collapse web', exact: true }).click();
    await expect.poll(hash).toContain('folded=deployments.apps/default/web');
    await page.getByRole('button', { name: 'Open the drawer' }).click();
    await expect.poll(hash).toContain('drawer=events');
    await page.getByRole('tab', { name: 'Logs' }).click();
    await page.getByRole('tab', { name: 'Logs', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Events', selected: true }).first().waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Open the drawer' }).waitFor();
    await page.goBack();
    await web.waitFor();
    expect(await hash()).not.toContain('folded');
    await goTo('#/cronjobs?group=month');
    await page.getByRole('button', { name: 'The month before' }).click();
    await page.locator('.calendar-head', { hasText: otherName }).waitFor();
    expect(await hash()).toContain(`month=${otherMonth}`);
    await page.getByRole('button', { name: 'The month after' }).click();
    await expect.poll(hash).not.toContain('month=2');
    await goTo(`#/timeline?object=pods/default/${pod}&tab=decision`);
    await page.locator('.decision').getByRole('button', { name: 'node-0' }).first().click();
    await expect.poll(hash).toContain('node=node-0');
    await page.goBack();
    await expect.poll(() => page.locator('.asked').textContent()).toBe('');
    // A decision that is on record no more is said, with the way to the one that is.
    await goTo(`#/timeline?object=pods/default/${pod}&tab=decision&attempt=77`);
    await page.getByRole('button', { name: 'Show the last attempt' }).click();
    await page.locator('.decision', { hasText: 'Attempt 1 at' }).waitFor();
    problems.splice(0, problems.length, ...problems.filter((text) => !text.includes('404')));
  });

  it('of an instant that has passed show the same rows later, whatever came since', async () => {
    await goTo(`#/timeline?${span()}`);
    // Rows stand until others are here: those of a page that was just opened are of the instant that its address names.
    await page.reload();
    await page.locator('.tl-label button', { hasText: 'tick' }).first().waitFor();
    const rows = (): Promise<string> => page.locator('.tl-labels').innerText();
    const count = (): Promise<string | null> => page.locator('.tl-corner').textContent();
    const [counted, named] = [await count(), await rows()];
    // At the very instant at which the picture ends.
    await ask(page, `${deployments}/web`, { spec: { replicas: 5 } }, 'PATCH');
    await advance(page, '30s');
    await page.reload();
    await page.locator('.tl-label button', { hasText: 'tick' }).first().waitFor();
    await expect.poll(count).toBe(counted);
    await expect.poll(rows).toBe(named);
    await goTo('#/timeline');
    await expect.poll(count).not.toBe(counted);
  });

  it('names, labels, messages and values that break pages are shortened and shown as they are written', async () => {
    const { items } = await ask<{ items: { status: { revision: number } }[] }>(
      page,
      '/apis/sim.wavetank.dev/v1alpha1/changes?object=configmaps/default/hostile',
    );
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await goTo(
      `#/timeline?kind=all&before=${fromMs}&after=${toMs}&find=hostile&object=configmaps/default/hostile&tab=change&revision=${items[0]?.status.revision}`,
    );
    await inspector.locator('.field-changes').getByText('data.long').waitFor();
    await page.locator('.differences tr', { hasText: 'hostile' }).first().waitFor();
    expect((await inspector.textContent())?.length).toBeLessThan(20_000);
    expect((await page.locator('.differences').textContent())?.length).toBeLessThan(5_000);
    expect(await page.locator('img').count()).toBe(0);
    // What turns the direction of writing would turn the words beside it too.
    expect(await page.locator('body').innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    for (const tab of ['Overview', 'Why', 'Events', 'YAML']) {
      await inspector.getByRole('tab', { name: tab }).click();
      await expect.poll(async () => (await inspector.getByRole('tabpanel').textContent())?.length).toBeGreaterThan(10);
    }
  });
});

function manyLabels(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`label-${index}`, `value-${index}`]));
}
