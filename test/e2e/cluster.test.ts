/** The cluster view against the real engine: what it says of pods and nodes, by pointer and by keys, now and then. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, type RealEngine, startEngine } from './real-engine.ts';

const clock = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';
const pods = '/api/v1/namespaces/default/pods';

function pod(name: string, container: object = {}, spec: object = {}): object {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'nginx', ...container }], ...spec } };
}

/** When what was asked of the clock is done. */
async function virtualMs(page: Page): Promise<number> {
  const read = async () => (await ask<{ status: { virtualMs: number; runningUntil?: string } }>(page, clock)).status;
  await expect.poll(async () => (await read()).runningUntil).toBeUndefined();
  return (await read()).virtualMs;
}

describe.skipIf(!available)('the cluster view of a real cluster', () => {
  let browser: Browser;
  let engine: RealEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('cells', ['--nodes', '3', '--speed', 'paused'])]);
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  it('tells states and the waiting room, zooms by keys, and shows an instant that has passed as it was', async () => {
    const { page, problems } = await openPage(browser, engine.link());
    await page.getByRole('link', { name: 'Cluster', exact: true }).click();
    await page.getByText('0 pods', { exact: true }).waitFor();
    for (const name of ['one', 'two']) await ask(page, pods, pod(name));
    await ask(page, pods, pod('typo', { image: 'nginx:nope', imagePullPolicy: 'Never' }));
    await ask(page, pods, pod('huge', { resources: { requests: { cpu: '900' } } }));
    await ask(page, clock, { spec: { advance: '40s' } }, 'PATCH');
    const legend = page.getByRole('list', { name: 'State' });
    await expect.poll(() => legend.textContent()).toBe('Ready 2Image missing 1');
    const room = page.getByRole('region', { name: 'Waiting for a node' });
    await expect.poll(() => room.textContent()).toMatch(/1Unschedulable.*Insufficient cpu.*huge/);
    await page.getByLabel('Colour by').selectOption('owner');
    await page.getByRole('list', { name: 'Owner' }).getByText('no owner').waitFor();
    expect(await page.evaluate(() => location.hash)).toContain('group=owner');
    await page.locator('.cluster-plot').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Node node-1' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Pods of node-1').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Nodes as a table' }).click();
    await expect.poll(() => page.locator('.cluster tbody tr').count()).toBe(3);
    const thenMs = Math.floor(await virtualMs(page)) - 1_000;
    for (const name of ['one', 'two', 'typo', 'huge']) await ask(page, `${pods}/${name}?gracePeriodSeconds=0`, undefined, 'DELETE');
    await ask(page, clock, { spec: { advance: '40s' } }, 'PATCH');
    await page.getByText('0 pods', { exact: true }).waitFor();
    const address = page.url().split('#')[0] ?? '';
    await page.goto(`${address}#/cluster?from=${thenMs - 30_000}&to=${thenMs}`);
    await expect.poll(() => legend.textContent()).toBe('Ready 2Image missing 1');
    await page.getByText('As it was at').waitFor();
    await page.getByRole('button', { name: 'Past: back to now' }).click();
    await page.getByText('0 pods', { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  }, 240_000);

  it('pods that were not ready when their node went are called the same in every view, and count so', async () => {
    const lost = await startEngine('lost-pods', ['--nodes', '2', '--speed', 'paused']);
    const { page, problems } = await openPage(browser, lost.link());
    const probe = { readinessProbe: { httpGet: { path: '/', port: 80 }, initialDelaySeconds: 900 } };
    await ask(page, pods, pod('slow', probe, { nodeName: 'node-0' }));
    await ask(page, pods, pod('well', {}, { nodeName: 'node-0' }));
    await ask(page, pods, pod('waits', { image: 'nginx' }, { nodeName: 'node-0', volumes: [{ name: 'v', configMap: { name: 'nobody' } }] }));
    await advance(page, '30s');
    const strip = page.locator('.overview .pods');
    await expect.poll(() => strip.textContent()).toMatch(/1 ?ready.*1 ?starting|1 ?starting.*1 ?ready/);
    await ask(page, '/apis/sim.wavetank.dev/v1alpha1/faults', {
      metadata: { name: 'dark' },
      spec: { type: 'node-power-loss', target: { node: 'node-0' } },
    });
    await advance(page, '70s');
    await expect.poll(() => strip.textContent()).toMatch(/^(?!.*starting).*2 ?troubled/);
    await page.getByRole('link', { name: 'Cluster', exact: true }).click();
    const legend = page.getByRole('list', { name: 'State' });
    await expect.poll(() => legend.textContent()).toBe('NodeNotReady 3');
    await legend.getByRole('button', { name: '3' }).click();
    const rows = page.locator('main tbody tr');
    await expect.poll(() => rows.filter({ hasText: 'NodeNotReady' }).count()).toBe(3);
    const address = page.url().split('#')[0] ?? '';
    await page.goto(`${address}#/objects?kind=pods&filter=${encodeURIComponent('state=Troubled')}`);
    await expect.poll(() => rows.allTextContents()).toHaveLength(2);
    await rows.filter({ hasText: 'slow' }).getByRole('button', { name: 'slow' }).click();
    await page.getByRole('complementary', { name: 'Inspector' }).getByText('NodeNotReady: its node is not ready.').waitFor();
    await page.goto(`${address}#/problems`);
    await page.getByRole('main').getByText('NodeNotReady').first().waitFor();
    const { rows: shown } = await ask<{ rows: readonly { name: string; segments: readonly { reason: string }[] }[] }>(
      page,
      '/apis/sim.wavetank.dev/v1alpha1/timelines/main?kind=Pod&namespace=default',
    );
    expect(shown.map(({ segments }) => segments.at(-1)?.reason)).toEqual(['NodeNotReady', 'NodeNotReady', 'NodeNotReady']);
    // A kubelet that says itself that its node is not ready says how its pods are, too.
    await ask(page, pods, pod('stays', {}, { nodeName: 'node-1' }));
    await advance(page, '30s');
    const fault = { metadata: { name: 'stuck' }, spec: { type: 'container-runtime-down', target: { node: 'node-1' } } };
    await ask(page, '/apis/sim.wavetank.dev/v1alpha1/faults', fault);
    await advance(page, '2m');
    await page.goto(`${address}#/objects?kind=pods.`);
    await expect.poll(() => rows.filter({ hasText: 'slow' }).textContent()).toContain('NodeNotReady');
    await expect.poll(() => rows.filter({ hasText: 'stays' }).textContent()).not.toContain('NodeNotReady');
    await expect.poll(() => strip.textContent()).toMatch(/1 ?ready/);
    await page.getByRole('link', { name: 'Cluster', exact: true }).click();
    await expect.poll(() => legend.textContent()).toMatch(/^Ready 1/);
    expect(problems).toEqual([]);
    await page.close();
    await lost.close();
  }, 240_000);

  it('one without nodes says how to get some, and the page makes them', async () => {
    const bare = await startEngine('nodeless', ['--nodes', '0', '--speed', 'paused']);
    const { page, problems } = await openPage(browser, bare.link());
    await page.goto(`${page.url().split('#')[0] ?? ''}#/cluster`);
    await page.getByRole('button', { name: 'Create a NodePool' }).click();
    await page.getByRole('button', { name: 'Try it (dry run)' }).click();
    await page.locator('.outcomes li', { hasText: 'would be created' }).waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.locator('.outcomes li', { hasText: /created/ }).waitFor();
    await advance(page, '10s');
    await page.getByRole('link', { name: 'Cluster', exact: true }).click();
    await page.getByRole('main').getByText('3 nodes', { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
    await bare.close();
  }, 240_000);
});
