/** The view of CronJobs against the real engine: lanes, month and table tell the same ledger, and runs lead to their Jobs. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, type RealEngine, startEngine, startMs } from './real-engine.ts';

const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
const ledger = '/apis/sim.wavetank.dev/v1alpha1/cronjobruns';

function cronJob(name: string, schedule: string, command: readonly string[], more: object = {}): object {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command }] } };
  return { metadata: { name }, spec: { schedule, jobTemplate: { spec: { backoffLimit: 0, template } }, ...more } };
}

describe.skipIf(!available)('CronJobs', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    const options = ['--nodes', '2', '--seed', '3', '--speed', 'paused', '--start-time', '2026-03-28T20:00:00Z'];
    [browser, engine] = await Promise.all([launch(), startEngine('cron', options)]);
    ({ page, problems } = await openPage(browser, engine.link(), { width: 1440, height: 1000 }));
    await page.locator('.status-dot').waitFor();
    await ask(page, cronJobs, cronJob('slow', '30 * * * *', ['sleep', '5400'], { concurrencyPolicy: 'Forbid', timeZone: 'Europe/Berlin' }));
    await ask(page, cronJobs, cronJob('fails', '0 */2 * * *', ['sh', '-c', 'exit 1']));
    await advance(page, '8h5m');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
    expect(problems).toEqual([]);
  });

  const table = () => page.getByRole('region', { name: 'Runs', exact: true });
  const rowsOf = (name: string) =>
    table()
      .locator('tbody tr')
      .filter({ has: page.getByRole('button', { name, exact: true }) });

  it('the view opens on a stretch in which the last and the next run of each are seen, and the timeline is as it was after', async () => {
    // Of the last quarter of an hour; with a day there are those of Jobs that are deleted since.
    const rows = (): Promise<string | null> => page.locator('.tl-corner').first().textContent();
    const lately = '18 rows';
    await expect.poll(rows).toBe(lately);
    await page.getByRole('link', { name: 'CronJobs' }).click();
    for (const name of ['slow', 'fails']) {
      await expect.poll(() => rowsOf(name).filter({ hasText: 'Ran' }).count()).toBeGreaterThan(0);
      await expect.poll(() => rowsOf(name).filter({ hasText: 'Waiting' }).count()).toBeGreaterThan(0);
    }
    // Of schedules of one and two hours not a whole day, in which single runs could not be told apart.
    await expect.poll(() => rowsOf('slow').count()).toBeLessThan(12);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await expect.poll(rows).toBe(lately);
  });

  it('lanes are asked for once, when it is known which stretch of time the view opens on, and not again while nothing happens', async () => {
    const asked: string[] = [];
    const hear = (request: { url(): string }): void => void (request.url().includes('kind=CronJob&') && asked.push(request.url()));
    await page.reload();
    await page.locator('.tl-label').first().waitFor();
    page.on('request', hear);
    for (const count of [1, 0]) {
      asked.length = 0;
      await page.getByRole('link', { name: 'CronJobs' }).click();
      await page.locator('.tl-label button', { hasText: 'fails' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(asked).toHaveLength(count);
      await page.getByRole('link', { name: 'Timeline' }).click();
      await page.locator('.tl-label').first().waitFor();
    }
    page.off('request', hear);
  });

  it('each planned instant stands in the table once, with its date and its fate', async () => {
    await page.getByRole('link', { name: 'CronJobs' }).click();
    await rowsOf('slow').first().waitFor();
    await page.keyboard.press('f');
    const { items } = await ask<{ items: { status: { cronJob: string; fate: string } }[] }>(page, ledger);
    const past = items.filter(({ status }) => status.cronJob === 'slow' && status.fate !== 'Waiting');
    await expect.poll(() => rowsOf('slow').filter({ hasNotText: 'Waiting' }).count()).toBe(past.length);
    const planned = await rowsOf('slow').locator('td:nth-child(2)').allTextContents();
    expect(new Set(planned).size).toBe(planned.length);
    expect(planned.every((text) => /^2[89] Mar \d\d:30:00$/.test(text))).toBe(true);
    expect(await rowsOf('slow').filter({ hasText: 'Skipped by Forbid' }).first().textContent()).toContain('went on');
  });

  it('a lane tells how its runs went and when the next is due; runs that failed can be seen alone', async () => {
    await page.locator('.tl-label button', { hasText: 'fails' }).click();
    await expect.poll(() => table().textContent()).toMatch(/fails: \d runs · 0 % of \d ended well/);
    await expect
      .poll(() => page.locator('.tl-label', { hasText: 'fails' }).textContent())
      .toMatch(/^fails0 \*\/2 \* \* \*next 06:00:00, in 1h 5\dm$/);
    await page.getByRole('group', { name: 'Which runs' }).getByRole('button', { name: 'Failed' }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('filter=failed');
    const results = () => table().locator('tbody tr td:nth-child(6)').allTextContents();
    await expect.poll(async () => new Set(await results())).toEqual(new Set(['Failed']));
    expect((await results()).length).toBeGreaterThan(1);
  });

  it('of an instant that has passed it says that fates are told as they are known now', async () => {
    const note = page.getByText('as it is known now');
    await expect.poll(() => note.count()).toBe(0);
    const { status } = await ask<{ status: { virtualMs: number } }>(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster');
    const before = await page.evaluate(() => location.hash);
    await page.evaluate((hash) => void (location.hash = hash), `/cronjobs?from=${status.virtualMs - 7_200_000}&to=${status.virtualMs - 3_600_000}`);
    await note.waitFor();
    await page.evaluate((hash) => void (location.hash = hash), before);
    await expect.poll(() => note.count()).toBe(0);
  });

  it('each lane is seen whole, also below the name of a fault', async () => {
    const fault = { metadata: { name: 'dark' }, spec: { type: 'node-network-slow', target: { node: 'node-0' } } };
    await ask(page, '/apis/sim.wavetank.dev/v1alpha1/faults', fault);
    await advance(page, '1m');
    const lanes = page.locator('.split.lanes > .main');
    await expect.poll(() => lanes.locator('.tl-head').evaluate((head) => head.clientHeight)).toBeGreaterThan(28);
    const [box, label] = await Promise.all([lanes.boundingBox(), lanes.locator('.tl-label').last().boundingBox()]);
    expect(label?.height).toBeGreaterThan(40);
    expect((label?.y ?? 0) + (label?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0) + 1);
  });

  it('a run leads to its Job, and the Job to its pod', async () => {
    await table()
      .getByRole('button', { name: /^fails-\d+$/ })
      .first()
      .click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByText('1 failed.').waitFor();
    await inspector.getByRole('button', { name: /^fails-\d+-\w+$/ }).click();
    await inspector.getByText('Failed on node').waitFor();
  });

  it('the month counts the same instants day by day, and a day opens', async () => {
    await page.getByRole('button', { name: 'Close the inspector' }).click();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    const runsTold = async (): Promise<number> => Number(/All CronJobs: (\d+) runs?/.exec((await table().textContent()) ?? '')?.[1]);
    await page.keyboard.press('f');
    // From the first instant on: what is counted before that is of the stretch before.
    await rowsOf('slow').filter({ hasText: '28 Mar 20:30:00' }).waitFor();
    await expect.poll(runsTold).toBeGreaterThan(8);
    const whole = await runsTold();
    for (let i = 0; i < 4; i++) await page.keyboard.press('w');
    await expect.poll(runsTold).toBeLessThan(whole);
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    const month = page.getByRole('region', { name: 'Runs of March 2026 by day' });
    await expect.poll(() => month.getByTitle(/^28 Mar:/).textContent()).toMatch(/28.*complete.*failed.*skipped/);
    // The table below is of the month as well; no more than the next ten runs are told, and days after them do not claim to be empty.
    await expect.poll(runsTold).toBe(whole);
    await month
      .getByTitle(/^29 Mar:/)
      .getByText('to come')
      .waitFor();
    await month
      .getByTitle(/^31 Mar:/)
      .getByText('more may come')
      .waitFor();
    expect(await month.getByTitle(/^27 Mar:/).textContent()).toBe('27');
    await month.getByTitle(/^28 Mar:/).click();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await expect
      .poll(() => rowsOf('slow').locator('td:nth-child(2)').allTextContents())
      .toEqual(expect.arrayContaining(['28 Mar 20:30:00', '28 Mar 22:30:00']));
    expect((await rowsOf('slow').locator('td:nth-child(2)').allTextContents()).some((text) => text.startsWith('29'))).toBe(false);
  });

  it('the next ten runs of every CronJob are one click away', async () => {
    await page.getByRole('button', { name: 'Next ten' }).click();
    await expect.poll(() => rowsOf('fails').count()).toBe(10);
    // The soonest first.
    const planned = () => rowsOf('fails').locator('td:nth-child(2)').allTextContents();
    await expect.poll(async () => [(await planned())[0], (await planned()).at(-1)]).toEqual(['29 Mar 06:00:00', '30 Mar 00:00:00']);
    await page.getByRole('button', { name: 'Last day', exact: true }).click();
    await expect.poll(() => table().locator('tbody tr').first().locator('td:nth-child(2)').textContent()).toBe('29 Mar 04:00:00');
  });

  it('a run that goes on is seen in a stretch that is shorter than it is', async () => {
    const { status } = await ask<{ status: { virtualMs: number } }>(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster');
    const { items } = await ask<{ items: { status: { cronJob: string; job?: string; result?: string } }[] }>(page, ledger);
    const going = items.find(({ status: run }) => run.cronJob === 'slow' && run.result === 'Running')?.status.job ?? '';
    expect(going).not.toBe('');
    await page.evaluate((hash) => void (location.hash = hash), `/cronjobs?from=${status.virtualMs - 60_000}&to=${status.virtualMs}`);
    await table().getByRole('button', { name: going }).waitFor();
    await page.getByRole('button', { name: 'Last day', exact: true }).click();
  });

  it(
    'lanes follow the clock also over a day',
    async () => {
      await page.keyboard.press('l');
      await advance(page, '24h');
      await expect.poll(() => page.locator('.tl-label', { hasText: 'fails' }).textContent()).toMatch(/next 06:00:00, in/);
      await page.keyboard.press('f');
      await expect.poll(() => rowsOf('fails').filter({ hasText: 'Ran' }).locator('td:nth-child(2)').first().textContent()).toBe('30 Mar 04:00:00');
    },
    3 * startMs,
  );
});

describe.skipIf(!available)('CronJobs of a clock that rushes', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('rush', ['--nodes', '2', '--speed', 'paused'])]);
    ({ page } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    await ask(page, cronJobs, cronJob('tick', '* * * * *', ['true']));
    await advance(page, '20m');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  it(
    'what ran is told as what ran, and nothing that was not read yet as late',
    async () => {
      await page.evaluate(() => void (location.hash = '/cronjobs'));
      const rows = page.getByRole('region', { name: 'Runs', exact: true }).locator('tbody tr');
      await rows.first().waitFor();
      await ask(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster', { spec: { speed: 'max' } }, 'PATCH');
      const seen: string[] = [];
      let ran = 0;
      for (let look = 0; look < 40; look++) {
        await page.waitForTimeout(150);
        const { label, late, texts } = await page.evaluate(() => ({
          label: document.querySelector('.lane-name')?.textContent ?? '',
          late: document.querySelectorAll('.side-table td.warn').length,
          texts: document.querySelector('.side-table tbody')?.textContent ?? '',
        }));
        if (label.includes('late by') || late > 0) seen.push(`${label}: ${texts.slice(0, 200)}`);
        if (texts.includes('Ran')) ran++;
      }
      expect(seen).toEqual([]);
      expect(ran).toBeGreaterThan(20);
      await ask(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster', { spec: { speed: 'paused' } }, 'PATCH');
    },
    startMs,
  );
});
