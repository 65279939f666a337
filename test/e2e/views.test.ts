/** Every view in a real browser against the pretend cluster: it shows what is there, and what is done in it happens. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from '../../renderer/testing/mock-server.ts';
import { available, launch, openPage } from './browser.ts';

describe.skipIf(!available)('views', () => {
  let browser: Browser;
  let mock: Mock;
  const pages: { page: Page; problems: string[] }[] = [];
  const open = async (hash: string): Promise<Page> => {
    const opened = await openPage(browser, `${mock.url}${hash}`);
    pages.push(opened);
    return opened.page;
  };

  beforeAll(async () => {
    [browser, mock] = await Promise.all([launch(), startMock()]);
  });
  afterEach(async () => {
    const problems = pages.flatMap((one) => one.problems);
    await Promise.all(pages.splice(0).map(({ page }) => page.close()));
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await mock.close();
  });

  it('the timeline shows rows, selects one with the keyboard and zooms around the pointer', async () => {
    const page = await open('#/timeline');
    await page
      .getByRole('button', { name: /^Deployment|checkout-0 Deployment/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('object=');
    const before = await page.locator('.tl-head canvas').screenshot();
    await page.keyboard.press('w');
    await expect.poll(async () => (await page.locator('.tl-head canvas').screenshot()).equals(before)).toBe(false);
    await page.getByRole('searchbox').fill('report');
    await page.locator('.tl-label button', { hasText: 'report' }).first().waitFor();
    await expect.poll(() => page.locator('.tl-label button', { hasText: 'checkout' }).count()).toBe(0);
  });

  it('the timeline tells the same entries as a table, and what lies under the pointer', async () => {
    const page = await open('#/timeline?search=checkout-0');
    await page.locator('.tl-label button', { hasText: 'checkout-0' }).first().waitFor();
    await page.getByRole('button', { name: 'Entries as a table' }).click();
    await page.locator('.side-table td', { hasText: 'created deployment checkout-0' }).waitFor();
    const plot = await page.locator('.tl-plot').boundingBox();
    await page.mouse.move((plot?.x ?? 0) + (plot?.width ?? 0) / 2, (plot?.y ?? 0) + 45);
    await expect.poll(() => page.getByRole('tooltip').textContent()).toContain('Running');
  });

  it('CronJobs have lanes and a table of runs', async () => {
    const page = await open('#/cronjobs');
    await page.locator('.tl-label button', { hasText: 'sweep' }).click();
    await page
      .getByRole('cell', { name: /^sweep-\d+$/ })
      .first()
      .waitFor();
    await page.getByRole('cell', { name: 'the controller was down' }).first().waitFor();
    await page.getByRole('group', { name: 'Which runs' }).getByRole('button', { name: 'Missed', exact: true }).click();
    await expect.poll(() => page.getByRole('cell', { name: /^sweep-\d+$/ }).count()).toBe(0);
    await page.getByText('Runs at', { exact: false }).or(page.getByText('history is still on the timeline')).waitFor();
  });

  it('a node is failed after saying what will happen, and healed', async () => {
    const page = await open('#/cluster');
    await page.getByText('30 nodes', { exact: true }).waitFor();
    await page.locator('.cluster-plot').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Fail this node' }).click();
    const forecast = page.getByRole('group', { name: 'What will happen' });
    await expect.poll(() => forecast.textContent()).toMatch(/marked unreachable.*300 s later/);
    await page.getByRole('button', { name: 'Cut the power' }).click();
    await page.getByRole('button', { name: 'Heal this node' }).click();
    await page.getByRole('button', { name: 'Fail this node' }).waitFor();
  });

  it('an object tells its state, why, Events, YAML and the decision', async () => {
    const page = await open('#/objects');
    await page.getByRole('button', { name: /checkout-0-7d4b9c-0000/ }).click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByText('3 restarts').waitFor();
    for (const [tab, text] of [
      ['Why', 'because'],
      ['Events', 'Scheduled'],
      ['YAML', 'nodeName'],
      ['Decision', 'NodeResourcesFit'],
    ] as const) {
      await inspector.getByRole('tab', { name: tab }).click();
      await inspector.getByRole('tabpanel').getByText(text).first().waitFor();
    }
    await inspector.getByRole('tab', { name: 'Why' }).click();
    await inspector.getByRole('button', { name: /created deployment/ }).click();
    await inspector.getByText('96 of 100 replicas are ready.').waitFor();
  });

  it('a view that waits for its file is there with the file, and needs no time to pass after that', async () => {
    const { page } = await openPage(browser, 'about:blank');
    await page.clock.install();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/ScenariosView-*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${mock.url}#/timeline`);
    await page.locator('.tl-label button').first().waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('link', { name: 'Scenarios' }).click();
    await page.getByRole('main', { name: 'Scenarios' }).waitFor({ state: 'attached' });
    release();
    await page.getByRole('heading', { name: 'Scenarios' }).waitFor();
    await page.context().close();
  });

  it('what a view shows first is asked for with the press, and not after it was drawn without', async () => {
    const page = await open('#/timeline');
    await page.locator('.tl-label button').first().waitFor();
    const files = ['ClusterView', 'ObjectsView', 'CronJobsView'];
    const isFetched = (): Promise<boolean> =>
      page.evaluate((names) => names.every((name) => performance.getEntriesByType('resource').some((one) => one.name.includes(name))), files);
    await expect.poll(isFetched).toBe(true);
    // In which view the page was when it asked.
    const asked = await page.evaluateHandle(() => {
      const found: string[] = [];
      const note = (path: string): void => {
        found.push(`${document.querySelector('main')?.getAttribute('aria-label')} ${path.split('?')[0]?.split('/').slice(-2).join('/')}`);
      };
      const { fetch: ask } = window;
      window.fetch = (...given) => {
        note(String(given[0]));
        return ask(...given);
      };
      // What is followed is asked for over the page's one socket, which a worker holds.
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message: { readonly open?: { readonly path: string } }): void {
        if (message.open !== undefined) note(message.open.path);
        postMessage.call(this, message);
      };
      return found;
    });
    const title = await page.getByRole('main').getAttribute('aria-label');
    for (const [key, name, path] of [
      ['4', 'Cluster', 'clustermaps/cluster'],
      ['5', 'Objects', 'v1/pods'],
      // Its lanes are asked for when its ledger tells which stretch they show.
      ['3', 'CronJobs', 'v1alpha1/cronjobruns'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await expect.poll(() => asked.jsonValue()).toContain(`${title} ${path}`);
      await page.keyboard.press('1');
      await page.locator('.tl-label button').first().waitFor();
    }
  });

  it('the clock is stepped, played, paused and sent to a time', async () => {
    const page = await open('#/timeline');
    const shown = () => page.locator('time.clock').textContent();
    await expect.poll(shown).toMatch(/\d\d:\d\d:\d\d/);
    const before = await shown();
    await page.keyboard.press('.');
    await expect.poll(shown).not.toBe(before);
    await page.getByRole('radio', { name: '60×' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press(' ');
    await page.locator('.view').click({ position: { x: 5, y: 5 } });
    await page.keyboard.press(' ');
    await page.keyboard.press('g');
    await page.keyboard.type('09:30');
    await page.keyboard.press('Enter');
    await expect.poll(shown).toMatch(/^09:3/);
    mock.state.request('PATCH', new URL('http://x/apis/sim.wavetank.dev/v1alpha1/clocks/cluster'), { spec: { speed: 'paused' } }, '');
  });

  it('the speed in force is shown, whichever it is, and stays to be chosen while the clock is paused', async () => {
    const set = (speed: string): void => {
      mock.state.request('PATCH', new URL('http://x/apis/sim.wavetank.dev/v1alpha1/clocks/cluster'), { spec: { speed } }, '');
    };
    set('30');
    const page = await open('#/timeline');
    const speeds = page.getByRole('radiogroup', { name: 'Speed' });
    const checked = (): Promise<string[]> => speeds.locator('[aria-checked=true]').allTextContents();
    await expect.poll(checked).toEqual(['30×']);
    expect(await speeds.getByRole('radio').allTextContents()).toEqual(['1×', '10×', '30×', '60×', '600×', '3600×', 'max']);
    set('paused');
    await expect.poll(checked).toEqual([]);
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(checked).toEqual(['30×']);
    await speeds.getByRole('radio', { name: 'max' }).click();
    await expect.poll(() => speeds.getByRole('radio').allTextContents()).toEqual(['1×', '10×', '60×', '600×', '3600×', 'max']);
    set('0.5');
    await expect.poll(checked).toEqual(['0.5×']);
    expect(await speeds.getByRole('radio').first().textContent()).toBe('0.5×');
    set('paused');
  });

  it('a scenario runs, its active step is lit, and it ends in a verdict', async () => {
    const page = await open('#/scenarios');
    await page.getByRole('button', { name: 'Run A node loses power' }).click();
    const card = page.getByRole('article', { name: /^Run node-outage/ });
    await card.locator('[aria-current=step]', { hasText: 'deploy' }).waitFor();
    await page.getByRole('button', { name: '+1h' }).click();
    await card.getByText('Passed', { exact: true }).waitFor();
    await card.getByText('All expectations were met.').waitFor();
  });

  it('faults and settings are told', async () => {
    const page = await open('#/faults');
    await page.getByText('Nothing is broken').waitFor();
    await page.getByRole('button', { name: 'Break something' }).first().click();
    const form = page.getByRole('form', { name: 'Break something' });
    await form.getByLabel('Fault').selectOption('node-partition');
    await form.getByLabel('Direction').selectOption('both');
    await form.getByLabel('Where').selectOption('pool-2');
    await form.getByText('The network is cut from node pool-2').waitFor();
    await form.getByLabel('Heals after').fill('soon');
    await form.getByText('is not a duration').waitFor();
    await form.getByLabel('Heals after').fill('5m');
    await form.getByRole('button', { name: 'Break it' }).click();
    await page.getByRole('cell', { name: 'node-partition', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Heal' }).click();
    await page.getByText('Nothing is broken').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('--node-monitor-grace-period').waitFor();
    await page.getByRole('searchbox').fill('seed');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  });

  it('the drawer shows Events, whose objects can be selected', async () => {
    const page = await open('#/cluster');
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.locator('.drawer td button.link').first().click();
    await page.getByRole('complementary', { name: 'Inspector' }).waitFor();
  });

  it('objects say how many there are, and how many are called so', async () => {
    const page = await open('#/objects');
    await expect.poll(() => page.locator('.objects-about').textContent()).toMatch(/^Pod · core\/v1 · \d[\d ]* in all$/);
    await page.getByLabel('Filter objects').fill('checkout-0');
    await expect.poll(() => page.locator('.objects-about').textContent()).toMatch(/^Pod · core\/v1 · \d+ found$/);
  });

  it('a search that is done with and a choice made with the pointer give the keys back', async () => {
    const page = await open('#/timeline');
    await page.locator('.tl-label button').first().waitFor();
    const search = page.getByLabel('Search objects');
    const keysAre = () => page.evaluate(() => (document.activeElement === document.body ? 'of the page' : 'of a field'));
    await page.keyboard.press('/');
    await page.keyboard.type('checkout');
    expect(await keysAre()).toBe('of a field');
    await page.keyboard.press('Enter');
    expect([await keysAre(), await search.inputValue()]).toEqual(['of the page', 'checkout']);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    expect([await keysAre(), await search.inputValue()]).toEqual(['of a field', '']);
    await page.keyboard.press('Escape');
    expect(await keysAre()).toBe('of the page');
    const order = page.getByLabel('Group by');
    await order.click();
    await order.selectOption('kind');
    await expect.poll(keysAre).toBe('of the page');
  });

  it('rows are grouped, and groups collapse and open', async () => {
    const page = await open('#/timeline');
    const rows = page.locator('.tl-corner');
    await expect.poll(() => rows.textContent()).toMatch(/rows/);
    await page.getByLabel('Group by').selectOption('kind');
    const head = page.locator('.tl-label.is-head button').first();
    await expect.poll(() => head.textContent()).toMatch(/CronJob.*4 rows/);
    const before = await rows.textContent();
    await head.click();
    await expect.poll(() => rows.textContent()).not.toBe(before);
    expect(await head.getAttribute('aria-expanded')).toBe('false');
    await page.getByLabel('Group by').selectOption('owner');
    await page.getByRole('button', { name: 'Collapse all groups' }).click();
    await expect.poll(() => page.locator('.tl-label button', { hasText: 'checkout-0' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Open checkout-0', exact: true }).click();
    await page.locator('.tl-label button', { hasText: 'checkout-0-7d4b9c' }).first().waitFor();
  });

  it('logs of the selected pod are followed', async () => {
    const page = await open('#/objects');
    await page.getByRole('button', { name: /checkout-0-7d4b9c-0000/ }).click();
    await page.getByRole('tab', { name: 'Logs' }).click();
    await expect.poll(() => page.getByRole('log').textContent()).toContain('GET / 200');
  });

  it('all keys are listed', async () => {
    const page = await open('#/timeline');
    await page.locator('.tl-label button').first().waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    for (const text of ['Pause or play', 'Run to the next event', 'Zoom in and out', 'Search', 'Wheel']) await keys.getByText(text).first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => keys.count()).toBe(0);
  });
});
