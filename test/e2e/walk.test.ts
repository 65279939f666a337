/** What walking through the page found: what it says of a node that is dead, of times without a cluster and far from ours, and that it is readable without an engine. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { available, launch, openPage } from './browser.ts';
import { advance, ask, deployment, type RealEngine, startEngine, startMs } from './real-engine.ts';

const start = '1970-01-01T00:00:00Z';

describe.skipIf(!available)('a walk through a cluster of 1970', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    [browser, engine] = await Promise.all([launch(), startEngine('walk', ['--nodes', '2', '--speed', 'paused', '--start-time', start])]);
    ({ page, problems } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    await ask(page, '/apis/apps/v1/namespaces/default/deployments', deployment('web', 4));
    await advance(page, '1m');
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

  it('pods of a dead node are none that run, whatever their kubelet said last', async () => {
    await go('#/objects?kind=pods.');
    const rows = page.locator('.objects tbody tr');
    await rows.filter({ hasText: 'NodeNotReady Running' }).first().waitFor();
    const lost = await ask<{ items: readonly unknown[] }>(page, '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-0');
    expect(lost.items.length).toBeGreaterThan(0);
    await expect.poll(() => rows.filter({ hasText: 'NodeNotReady' }).count()).toBe(lost.items.length);
    expect(await rows.filter({ hasText: 'web-' }).count()).toBeGreaterThan(lost.items.length);
  });

  it('a pod of a dead node has one name for its state in every view', async () => {
    const { items } = await ask<{ items: readonly { metadata: { name: string; namespace: string } }[] }>(
      page,
      '/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3Dnode-0',
    );
    const name = items[0]?.metadata.name ?? '';
    for (const place of ['#/objects?kind=pods.', '#/cluster', '#/timeline?search=web&table=true', '#/problems']) {
      await go(place);
      await page.locator('.view').getByText('NodeNotReady').first().waitFor({ state: 'attached' });
    }
    await go(`#/timeline?object=pods/default/${name}`);
    await page.locator('.inspector .summary', { hasText: 'NodeNotReady' }).waitFor();
    await page.getByRole('button', { name: 'Close the inspector' }).click();
    await go('#/objects?kind=pods.');
  });

  it('of an instant before the node died names, figures and legend of the timeline know nothing of it', async () => {
    const names = page.locator('.tl-label', { hasText: 'web' });
    const heard = async (): Promise<string> => (await names.allTextContents()).join(' ');
    await go('#/timeline?search=web');
    await expect.poll(heard).toMatch(/NodeNotReady/);
    await expect.poll(heard).toMatch(/Deployment, \d of 4 pods ready/);
    await go(`#/timeline?search=web&from=5000&to=55000`);
    await expect.poll(heard).toMatch(/Deployment, 4 of 4 pods ready/);
    expect(await heard()).not.toMatch(/NodeNotReady/);
    await expect.poll(() => page.locator('.tl-legend').textContent()).not.toMatch(/NodeNotReady/);
    await go('#/objects?kind=pods.');
  });

  it('a pod that no node takes is called so among objects too, beside the word that kubectl has for it', async () => {
    const spec = { nodeSelector: { disk: 'golden' }, containers: [{ name: 'c', image: 'nginx' }] };
    await ask(page, '/api/v1/namespaces/default/pods', { metadata: { name: 'picky' }, spec });
    await advance(page, '1s');
    const row = page.locator('.objects tbody tr').filter({ hasText: 'picky' });
    await expect.poll(() => row.locator('td').nth(4).textContent()).toBe('Unschedulable Pending');
    expect(await row.locator('td').nth(4).locator('[title]').getAttribute('title')).toMatch(
      /^kubectl prints “Pending” of it\. The scheduler: 0\/2 nodes/,
    );
    for (const place of ['#/cluster', '#/problems', '#/timeline?search=picky']) {
      await go(place);
      await page.locator('.view').getByText('Unschedulable').first().waitFor();
    }
    await ask(page, '/api/v1/namespaces/default/pods/picky', undefined, 'DELETE');
    await advance(page, '1s');
  });

  it('what a node owns says of which kind it is', async () => {
    await go('#/cluster?object=nodes/node-1');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect.poll(() => inspector.getByRole('listitem').filter({ hasText: 'node-1' }).textContent()).toMatch(/node-1CSINode/);
    await page.getByRole('button', { name: 'Close the inspector' }).click();
  });

  it(
    'every view of the year 1970 reads well, and none breaks',
    async () => {
      for (const view of ['timeline', 'problems', 'cronjobs', 'cluster', 'objects', 'scenarios', 'faults', 'requests', 'settings', 'create']) {
        await go(`#/${view}`);
        await page.locator('.view h1').first().waitFor();
        expect(await page.locator('.view').textContent(), view).not.toMatch(/NaN|undefined|Invalid Date|1969|cannot be read/);
      }
      expect(problems).toEqual([]);
    },
    startMs,
  );

  it('the legend has each word once, also where nodes stand below their pods', async () => {
    await go('#/timeline?kind=nodes');
    await expect.poll(() => page.locator('.tl-label button').count()).toBe(2);
    const words = page.locator('.tl-legend > span');
    // As on the map: a node that is not heard is one word everywhere.
    await expect.poll(() => words.filter({ hasText: /^Unreachable$/ }).count()).toBe(1);
    expect(await words.filter({ hasText: /^Unknown$/ }).count()).toBe(0);
    await expect.poll(() => words.filter({ hasText: /^Ready$/ }).count()).toBe(1);
  });

  it('settings read as they would be given', async () => {
    await go('#/settings?search=authorization-');
    const valueOf = (flag: string) => page.locator('.view tbody tr').filter({ hasText: flag }).locator('td').last();
    await expect.poll(() => valueOf('--authorization-mode').textContent()).toBe('Node,RBAC');
    expect(await valueOf('--authorization-policy-file').textContent()).toBe('not set');
  });

  it('where there is no cluster yet, and where time has not come, is said, with the way back', async () => {
    await go('#/timeline?from=8000000000000&to=8000000060000');
    const note = page.getByRole('note').filter({ hasText: 'Time has not come this far' });
    await note.waitFor();
    const whole = page.getByRole('group', { name: 'The whole cluster over time' });
    await expect.poll(() => whole.textContent()).toBe('Nodes ready–Pods ready–');
    await note.getByRole('button', { name: 'Back to now' }).click();
    await expect.poll(() => note.count()).toBe(0);
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
  });

  it('without an engine each view can still be read, and says what it is of', async () => {
    await go('#/problems');
    await page.locator('.view').getByText('NodeNotReady').waitFor();
    await engine.kill();
    await page.locator('.engine-banner').waitFor();
    for (const view of ['problems', 'objects']) {
      await go(`#/${view}`);
      await page.locator('.view h1').first().waitFor();
      expect(await axeFaults(page), view).toEqual([]);
    }
  });
});

describe.skipIf(!available)('a cluster of the year 2100', () => {
  let browser: Browser;
  let engine: RealEngine;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    [browser, engine] = await Promise.all([
      launch(),
      startEngine('later', ['--nodes', '2', '--speed', 'paused', '--start-time', '2100-02-28T23:50:00Z']),
    ]);
    ({ page, problems } = await openPage(browser, engine.link()));
    await page.locator('.status-dot').waitFor();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] } };
    await ask(page, '/apis/batch/v1/namespaces/default/cronjobs', {
      metadata: { name: 'tick' },
      spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } } },
    });
    await ask(page, '/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    await advance(page, '15m');
  }, startMs);
  afterAll(async () => {
    await browser.close();
    await engine.close();
  });

  const go = async (place: string): Promise<void> => await page.evaluate((hash) => void (location.hash = hash), place);

  it('tells its day everywhere: the twenty-eighth of February is followed by the first of March', async () => {
    await page.getByText('Mon 1 Mar 2100').waitFor();
    await go('#/cronjobs');
    const planned = page.getByRole('region', { name: 'Runs', exact: true }).locator('tbody td:nth-child(2)');
    await expect.poll(() => planned.allTextContents()).toEqual(expect.arrayContaining(['28 Feb 23:55:00', '1 Mar 00:00:00', '1 Mar 00:05:00']));
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    await page.getByRole('heading', { name: 'March 2100' }).waitFor();
    await page.getByRole('button', { name: 'Lanes', exact: true }).click();
    await go('#/timeline');
    await page.locator('.tl-label button', { hasText: 'web' }).first().waitFor();
  });

  it(
    'every view reads well, and none breaks',
    async () => {
      for (const view of ['timeline', 'problems', 'cronjobs', 'cluster', 'objects', 'scenarios', 'faults', 'requests', 'settings', 'create']) {
        await go(`#/${view}`);
        await page.locator('.view h1').first().waitFor();
        expect(await page.locator('.view').textContent(), view).not.toMatch(/NaN|undefined|Invalid Date|1970|cannot be read/);
      }
      expect(problems).toEqual([]);
    },
    startMs,
  );
});
