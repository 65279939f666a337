/** Numbers, badges and times lead to the change behind them: of conditions, nodes, faults, runs, Events and figures of views. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

const merge = 'PATCH';

describe.skipIf(!available)('what is behind a number', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    const start = ['--nodes', '2', '--speed', 'paused', '--start-time', '2026-11-23T08:00:00Z'];
    [browser, engine] = await Promise.all([launch(), startEngine('behind', start)]);
    ({ page, problems } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] } };
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs', {
      metadata: { name: 'tick' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } },
    });
    await ask(page, '/apis/apps/v1/namespaces/default/deployments', deployment('web', 4));
    await advance(page, '3m');
    await ask(page, '/api/v1/nodes/node-1', { spec: { unschedulable: true, taints: [{ key: 'team', value: 'db', effect: 'NoSchedule' }] } }, merge);
    await ask(page, '/apis/sim.wavetank.dev/v1alpha1/faults', {
      metadata: { name: 'dark' },
      spec: { type: 'node-power-loss', target: { node: 'node-0' } },
    });
    await advance(page, '90s');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const go = async (place: string): Promise<void> => await page.evaluate((hash) => void (location.hash = hash), place);
  const inspector = () => page.getByRole('complementary', { name: 'Inspector' });
  /** What the change that is opened says of fields. */
  const opened = async (what: RegExp): Promise<void> => {
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/tab=change&revision=\d+/);
    await expect.poll(() => inspector().getByRole('tabpanel').innerText()).toMatch(what);
  };

  it('conditions and the creation of an object', async () => {
    await go('#/cluster?object=nodes/node-0');
    const ready = inspector()
      .getByRole('listitem')
      .filter({ hasText: /^Ready/ });
    await ready.getByRole('button', { name: 'Unknown' }).click();
    await opened(/status\.conditions\[Ready\]\.status/);
    await go('#/cluster?object=nodes/node-0&tab=overview');
    await inspector()
      .getByRole('listitem')
      .filter({ hasText: /^MemoryPressure/ })
      .getByRole('button', { name: 'Unknown' })
      .click();
    await opened(/status\.conditions\[MemoryPressure\]\.status/);
    await go('#/objects?kind=deployments.apps&object=deployments.apps/default/web');
    await inspector().getByRole('button', { name: /ago$/ }).click();
    await opened(/created Deployment web/);
  });

  it('badges and taints of a node', async () => {
    await go('#/cluster?object=nodes/node-1');
    const card = page.getByRole('region', { name: 'Node node-1' });
    await card.getByRole('button', { name: 'cordoned' }).click();
    await opened(/spec\.unschedulable/);
    await card.getByRole('button', { name: 'team=db:NoSchedule' }).click();
    await opened(/spec\.taints/);
    await go('#/cluster?object=nodes/node-0&table=true');
    await page
      .getByRole('row')
      .filter({ hasText: 'node-0' })
      .getByRole('button', { name: /NotReady/ })
      .click();
    await opened(/status\.conditions\[Ready\]\.status/);
    expect(await axeFaults(page)).toEqual([]);
  });

  it('numbers of the cluster view lead to what they count', async () => {
    await go('#/cluster');
    await page.getByRole('button', { name: '1 not ready' }).click();
    await inspector()
      .getByText(/node-power-loss/)
      .first()
      .waitFor();
    expect(await page.evaluate(() => location.hash)).toContain('object=nodes/node-0&tab=why');
    const ready = page.locator('.map-legend li').filter({ hasText: /^Ready/ });
    const count = Number((await ready.getByRole('button').textContent())?.replace(/\D/g, ''));
    await ready.getByRole('button').click();
    await expect.poll(() => page.locator('.objects-about').textContent()).toContain(`${count} found`);
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('look%3DReady');
    await go('#/cluster');
    await page.getByRole('button', { name: '2 nodes', exact: true }).click();
    await page.locator('.objects tbody tr').filter({ hasText: 'node-1' }).waitFor();
    await go('#/timeline');
    await page.getByRole('button', { name: /^Nodes ready/ }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('kind=nodes');
  });

  it('the phase of a fault, the fate and result of a run, and an Event', async () => {
    await go('#/faults');
    await page.getByRole('row').filter({ hasText: 'dark' }).getByRole('button', { name: 'Active' }).click();
    await opened(/status\.phase/);
    await go('#/cronjobs');
    const run = page.getByRole('row').filter({ hasText: 'Complete' }).last();
    await run.getByRole('button', { name: 'Ran' }).click();
    await opened(/created Job tick/);
    await run.getByRole('button', { name: 'Complete' }).click();
    await opened(/status\.conditions/);
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs/tick', { spec: { suspend: true } }, merge);
    await advance(page, '2m');
    await page.getByRole('row').filter({ hasText: 'Suspended' }).first().getByRole('button', { name: 'Suspended' }).click();
    await opened(/spec\.suspend/);
    await go('#/timeline?drawer=events');
    const event = page.locator('.drawer tbody tr').filter({ hasText: 'ScalingReplicaSet' });
    await page.keyboard.press('i');
    await expect.poll(() => page.locator('.inspector').count()).toBe(0);
    await event.locator('.behind').click();
    await opened(/ScalingReplicaSet|Scaled up/);
    expect(problems).toEqual([]);
  });

  it('a problem opens wherever it is pressed, and the fault behind it is healed from there', async () => {
    await go('#/problems');
    const problem = page.locator('.problem').filter({ hasText: 'NodeNotReady' });
    await problem.locator('.problem-summary').click();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('object=nodes/node-0&tab=why');
    await problem.getByRole('button', { name: /fault dark/ }).click();
    const acts = inspector().locator('.acts');
    await acts.getByRole('button', { name: 'Heal', exact: true }).waitFor();
    expect(await acts.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await acts.getByRole('button', { name: 'Heal', exact: true }).click();
    await advance(page, '30s');
    await expect.poll(() => problem.count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
