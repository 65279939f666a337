/**
 * What people come with, each done from the frame in at most three clicks, in a cluster in which all of it is wrong at once. `WAVETANK_TASKS`
 * set prints how many clicks and seconds each took.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { available, launch, openPage } from '../browser.ts';
import { ask, type RealEngine, startEngine, startMs } from '../real-engine.ts';
import { kubeApi } from './kube-api.ts';
import { playWorld } from './world.ts';

const clicksMax = 3;

describe.skipIf(!available)('ten tasks', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let home: string;
  let clicks: number;
  let sinceMs: number;

  beforeAll(async () => {
    const start = ['--nodes', '4', '--speed', 'paused', '--start-time', '2026-11-23T08:00:00Z', '--seed', '11'];
    [browser, engine] = await Promise.all([launch(), startEngine('tasks', start)]);
    ({ page } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    const { access } = await ask<{ access: { kubeconfig: string } }>(page, '/apis/sim.wavetank.dev/v1alpha1/settings/cluster');
    const api = kubeApi(access.kubeconfig);
    await playWorld(api);
    api.close();
    home = page.url().split('#')[0] ?? '';
  }, 2 * startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });
  /** As one finds it in the morning: the page, and nothing chosen. */
  beforeEach(async () => {
    await page.goto('about:blank');
    await page.goto(home);
    await page.locator('.overview .figure').first().waitFor();
    clicks = 0;
    sinceMs = performance.now();
  });

  const click = async (what: Locator): Promise<void> => {
    clicks++;
    await what.first().click();
  };
  const link = (name: string | RegExp): Locator => page.getByRole('link', { name, exact: true });
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
  const problem = (subject: string): Locator => page.locator('.problem', { hasText: subject });
  const says = async (where: Locator, ...texts: readonly string[]): Promise<void> => {
    for (const text of texts) await expect.poll(() => where.first().textContent()).toContain(text);
  };
  const done = (name: string): void => {
    if (process.env['WAVETANK_TASKS'] !== undefined) console.log(`${name}: ${clicks} clicks, ${((performance.now() - sinceMs) / 1000).toFixed(1)} s`);
    expect(clicks).toBeLessThanOrEqual(clicksMax);
  };

  /** What is wrong is told by the list that the chip opens. */
  it.each([
    ['a node is dead', 'node-0', ['fault dark (node-power-loss) had struck node node-0', 'evicted', ' pods']],
    ['an image is missing', 'pull', ['0 of 2 pods available', 'registry.example/none:1', 'created Deployment images/pull']],
    ['a quota is hit', 'small', ['exceeded quota: small', 'Deployment quota/many']],
    ['a webhook fails', 'guard', ['failed to call webhook', 'service "guard" not found']],
    ['a budget allows nothing', 'all-of-them', ['minAvailable 2 of 2 pods', 'no node of theirs can be drained']],
  ])('%s: what, and why', async (name, subject, texts) => {
    await click(button(/\d+ problems/));
    await says(problem(subject), ...texts);
    done(name);
  });

  it('which runs of CronJobs were missed, and why', async () => {
    await click(link('CronJobs'));
    await click(page.getByRole('button', { name: 'Missed', exact: true }));
    await click(button('Show the last day'));
    const table = page.getByRole('table');
    await expect.poll(() => table.getByRole('row').filter({ hasText: 'backup' }).count()).toBe(3);
    await says(table, 'exceeded quota: no-jobs');
    done('missed runs');
  });

  it('what changed between two instants', async () => {
    await page.locator('.tl-label button').first().waitFor();
    const axis = await page.locator('.tl-head canvas').boundingBox();
    const at = (share: number): [number, number] => [(axis?.x ?? 0) + (axis?.width ?? 0) * share, (axis?.y ?? 0) + 14];
    // One drag is one act of the pointer, as a click is.
    clicks++;
    await page.mouse.move(...at(0.05));
    await page.mouse.down();
    await page.mouse.move(...at(0.4));
    await page.mouse.move(...at(0.9));
    await page.mouse.up();
    const differences = page.getByRole('region', { name: 'What changed' });
    await differences.getByRole('searchbox').fill('changes/');
    await says(differences, 'spec.replicas');
    done('what changed between two instants');
  });

  it('why a pod is not on a node', async () => {
    await click(link('Cluster'));
    await click(page.getByText(/^picky-/));
    await click(page.getByRole('tab', { name: 'Decision' }));
    await says(page.getByRole('region', { name: 'Nodes by plugins' }), 'NodeAffinity', 'TaintToleration');
    done('why not on that node');
  });

  it('what a client wrote just now', async () => {
    await click(link('Requests'));
    await click(page.getByRole('region', { name: 'Clients' }).getByText('my-operator'));
    await says(page.getByRole('table'), 'metadata.name: Invalid value', 'configmaps/state -n operator');
    await click(page.getByRole('row', { name: 'configmaps/state -n operator' }).getByRole('button', { name: '1 change' }));
    await says(page.getByRole('complementary', { name: 'Inspector' }), 'data.phase: one → two');
    done('what a client wrote');
  });

  it('a bad release is rolled back', async () => {
    await page.getByRole('searchbox').fill('front');
    await click(page.locator('.tl-label button', { hasText: 'front' }).filter({ hasText: 'Deployment' }));
    await click(button('Roll back'));
    await says(page.getByRole('complementary', { name: 'Inspector' }), 'kubectl rollout undo deployment.apps/front -n release');
    await says(page.getByRole('complementary', { name: 'Inspector' }), 'Also changed: spec.containers[c].command.');
    await click(page.locator('.act-panel').getByRole('button', { name: 'Roll back' }));
    const path = '/apis/apps/v1/namespaces/release/deployments/front';
    const image = async (): Promise<unknown> =>
      (await ask<{ spec: { template: { spec: { containers: [{ image: string }] } } } }>(page, path)).spec.template.spec.containers[0].image;
    await expect.poll(image).toBe('nginx:1.27');
    done('roll back');
  });
});
