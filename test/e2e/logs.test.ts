/** Logs in the drawer, against the real engine: followed, searched, of each container, before the restart, as of the past, and bounded. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesMax } from '../../renderer/logs/log-lines.ts';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine } from './real-engine.ts';

const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, scripts: Readonly<Record<string, string>>, restartPolicy = 'Always'): object => ({
  metadata: { name },
  spec: {
    restartPolicy,
    containers: Object.entries(scripts).map(([container, script]) => ({ name: container, image: 'busybox', command: ['sh', '-c', script] })),
  },
});

describe.skipIf(!available)('logs', () => {
  let browser: Browser;
  let engine: RealEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('logs-test', ['--nodes', '1', '--speed', 'paused'])]);
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const log = (page: Page) => page.getByRole('log');
  const open = async (page: Page, name: string): Promise<void> => {
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?object=pods/default/${name}`);
    await page.getByRole('tab', { name: 'Logs' }).click();
  };

  it('are followed, searched, of each container and before its restart, with the kubectl line, and as of the playhead', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    const count = 'i=0; while true; do echo "line $i of main"; i=$((i+1)); sleep 1; done';
    await ask(page, pods, pod('talk', { main: count, odd: String.raw`printf 'a\033[31mred\033[0m \033[2J\bend\n'; sleep 5; echo dying; exit 3` }));
    await advance(page, '20s');
    await open(page, 'talk');
    await log(page).getByText('line 3 of main').waitFor();
    await advance(page, '60s');
    await log(page).getByText('line 62 of main').waitFor();
    await page.getByText('kubectl logs talk -n default -c main -f --tail=5000').waitFor();
    await page.getByLabel('Search the log').fill('LINE 1');
    await page.getByText('none', { exact: true }).waitFor();
    await page.getByLabel('Search the log').fill('line 1');
    await expect.poll(() => page.locator('.log-search [role=status]').textContent()).toBe('11');
    await page.getByLabel('Search the log').press('Enter');
    await page.getByText(/^11 of 11$/).waitFor();
    await log(page).locator('.is-current mark').waitFor();
    await page.getByRole('button', { name: 'Only these' }).click();
    await expect.poll(() => log(page).locator('.log-line').count()).toBe(11);
    await page.getByLabel('Search the log').press('Escape');
    expect(await axeFaults(page, '.drawer')).toEqual([]);
    await page.getByLabel('Container').selectOption('odd');
    await page.getByRole('button', { name: 'Before the restart' }).click();
    await log(page).getByText('dying').waitFor();
    await page.getByText('kubectl logs talk -n default -c odd --previous --tail=5000').waitFor();
    expect(await log(page).locator('.log-line').first().textContent()).toBe('ared ␈end');
    expect(await log(page).locator('.ansi-red').first().textContent()).toBe('red');
    // What is shown of it, and how, is a link, and back undoes it.
    await page.getByRole('button', { name: 'Times' }).click();
    await page.getByLabel('Search the log').fill('dying');
    await page.getByRole('button', { name: 'Only these', pressed: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('kubectl logs talk -n default -c odd --previous --timestamps --tail=5000').waitFor();
    await expect.poll(() => log(other).locator('.log-line').count()).toBe(1);
    expect(await other.getByLabel('Search the log').inputValue()).toBe('dying');
    await other.close();
    await page.goBack();
    await page.getByText('kubectl logs talk -n default -c odd --previous --tail=5000').waitFor();
    await page.getByLabel('Search the log').fill('');
    // As of an instant that has passed there is what had been written by then.
    await page.getByLabel('Container').selectOption('main');
    const { status } = await ask<{ status: { virtualMs: number } }>(page, '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster');
    const [from, to] = [status.virtualMs - 60_000, status.virtualMs - 40_000];
    await page.goto(`${page.url().split('#')[0] ?? ''}#/timeline?object=pods/default/talk&drawer=logs&from=${from}&to=${to}`);
    await page.getByText(/^as of \d\d:\d\d:\d\d$/).waitFor();
    await log(page).getByText('line 20 of main').waitFor();
    await expect.poll(() => log(page).textContent()).not.toContain('line 50 of main');
    expect(await log(page).textContent()).toContain('line 20 of main');
    expect(problems.filter((text) => !text.includes('400'))).toEqual([]);
    await page.close();
  }, 240_000);

  it('of hours fill neither the page nor take what is read from under the eyes; a line of 100,000 letters is cut and said', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    const script =
      'x=aaaaaaaaaa; for i in 1 2 3 4; do x=$x$x$x$x$x$x$x$x$x$x; done; echo $x; i=0; while true; do echo $i; i=$((i+1)); sleep 0.5; done';
    await ask(page, pods, pod('hours', { main: script }));
    await advance(page, '10s');
    await open(page, 'hours');
    const list = log(page);
    await list.locator('.log-line').last().waitFor();
    await list.evaluate((element) => element.scrollTo({ top: 0 }));
    await list.getByText(/98.?\d{3} more characters/).waitFor();
    await advance(page, '2h');
    await page.getByText(/older lines of those read are let go/).waitFor();
    expect(await list.evaluate((element) => element.scrollHeight)).toBeLessThanOrEqual(linesMax * 18 + 200);
    expect(await list.locator('.log-line').count()).toBeLessThan(100);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await expect.poll(() => list.locator('.log-line').last().textContent()).toMatch(/^14\d\d\d$/);
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('of a workload before restarts, and of all runs of a CronJob', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    const command = ['sh', '-c', 'echo begun; sleep 30; echo over; exit 1'];
    await ask(page, '/apis/apps/v1/namespaces/default/deployments', deployment('again', 2, { image: 'busybox', command }));
    await advance(page, '20s');
    await page.goto(`${page.url().split('#')[0] ?? ''}#/timeline?object=deployments.apps/default/again&drawer=logs`);
    await log(page).getByText('begun').first().waitFor();
    const before = page.getByRole('button', { name: 'Before the restart' });
    expect(await before.isDisabled()).toBe(true);
    await advance(page, '30s');
    await before.click();
    await expect.poll(() => log(page).getByText('over').count()).toBe(2);
    await page
      .getByText('kubectl logs -l app=again -n default --previous --ignore-errors --all-containers --prefix --tail=1000', { exact: true })
      .waitFor();
    const template = {
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'echo run of $HOSTNAME'] }] },
    };
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs', {
      metadata: { name: 'often' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } },
    });
    await advance(page, '150s');
    // Who began in the last instant has written nothing yet.
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs/often', { spec: { suspend: true } }, 'PATCH');
    await advance(page, '20s');
    const { items } = await ask<{ items: { metadata: { name: string } }[] }>(page, '/apis/batch/v1/namespaces/default/jobs');
    const jobs = items.map(({ metadata }) => metadata.name).toSorted();
    expect(jobs.length).toBeGreaterThan(1);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${page.url().split('#')[0] ?? ''}#/timeline?object=cronjobs.batch/default/often&drawer=logs`);
    await expect
      .poll(() =>
        log(page)
          .getByText(/^run of often-/)
          .count(),
      )
      .toBe(jobs.length);
    // The Jobs of a namespace may be thousands.
    expect(asked.filter((path) => path.endsWith('/jobs'))).toEqual([]);
    await page.getByText(new RegExp(`^kubectl logs -l 'job-name in \\(${jobs.join(',')}\\)' -n default -f`)).waitFor();
    expect(await axeFaults(page, '.drawer')).toEqual([]);
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs/often', undefined, 'DELETE');
    await ask(page, '/apis/apps/v1/namespaces/default/deployments/again', undefined, 'DELETE');
    await advance(page, '40s');
    expect(problems.filter((text) => !/status of (?:404|400)/.test(text))).toEqual([]);
    await page.close();
  }, 240_000);

  it('of all pods of a workload, and of what is chosen, stand by time with their pods’ names, followed, searched, each end said', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    const script = 'i=0; while true; do echo "tick $i"; i=$((i+1)); sleep 1; done';
    const command = ['sh', '-c', script];
    await ask(page, '/apis/apps/v1/namespaces/default/deployments', deployment('many', 3, { image: 'busybox', command }));
    await ask(page, pods, pod('short', { main: 'echo hello; sleep 3; echo over; exit 0' }, 'Never'));
    await advance(page, '20s');
    const { items } = await ask<{ items: { metadata: { name: string } }[] }>(page, `${pods}?labelSelector=app%3Dmany`);
    const names = items.map(({ metadata }) => metadata.name);
    await page.goto(`${page.url().split('#')[0] ?? ''}#/timeline?object=deployments.apps/default/many&drawer=logs`);
    const list = log(page);
    await expect.poll(() => list.locator('.log-line').last().textContent()).toMatch(/tick 1[4-9]$/);
    for (const name of names) await list.getByText(name, { exact: true }).first().waitFor();
    const parts = page.getByRole('list', { name: 'Whose lines these are' });
    await expect.poll(() => parts.getByRole('listitem').count()).toBe(3);
    await page.getByText('kubectl logs -l app=many -n default -f --max-log-requests=24 --all-containers --prefix --tail=1000').waitFor();
    // By time: what was written at one instant stands together.
    await page.getByRole('button', { name: 'Times' }).click();
    const times = await list.locator('.log-time').allTextContents();
    expect(times.length).toBeGreaterThan(6);
    expect(times).toEqual(times.toSorted());
    await advance(page, '30s');
    await expect.poll(() => list.locator('.log-line').last().textContent()).toMatch(/tick 4[4-9]$/);
    await page.getByLabel('Search the log').fill('tick 40');
    await expect.poll(() => page.locator('.log-search [role=status]').textContent()).toBe('3');
    await page.getByLabel('Search the log').press('Escape');
    expect(await axeFaults(page, '.drawer')).toEqual([]);
    await ask(page, `${pods}/${names[0] ?? ''}`, undefined, 'DELETE');
    await advance(page, '60s');
    await page.getByLabel('Search the log').fill(': gone');
    // It is read a moment after the engine's own: who steps before that has nowhere to step to.
    await expect.poll(() => page.locator('.log-search [role=status]').textContent()).toBe('1');
    await page.getByLabel('Search the log').press('Enter');
    await list.getByText(`[${names[0] ?? ''}: gone]`).waitFor();
    await page.getByLabel('Search the log').press('Escape');
    await expect.poll(() => parts.getByRole('listitem').count()).toBe(4);
    // Of several that are chosen, and the same again from the address.
    await page.goto(`${page.url().split('#')[0] ?? ''}#/objects?kind=pods.`);
    for (const name of ['short', names[1] ?? '']) await page.getByRole('checkbox', { name: `Choose default/${name}` }).check();
    await page.locator('.acts').getByRole('button', { name: 'Logs', exact: true }).click();
    await page.reload();
    await expect.poll(() => parts.getByRole('listitem').allTextContents()).toEqual([`short ended: Completed`, `${names[1] ?? ''} running`]);
    await page.getByLabel('Search the log').fill('short: ended');
    await expect.poll(() => page.locator('.log-search [role=status]').textContent()).toBe('1');
    await page.getByLabel('Search the log').press('Enter');
    await list.getByText('[short: ended: Completed]').waitFor();
    await page.getByRole('button', { name: 'Back to the selection' }).click();
    await page.getByText('No pod is selected').waitFor();
    // A pod that goes between two reads has no log any more, and one that comes has none yet: its container waits to start.
    expect(problems.filter((text) => !/status of (?:404|400)/.test(text))).toEqual([]);
    await page.close();
  }, 240_000);
});
